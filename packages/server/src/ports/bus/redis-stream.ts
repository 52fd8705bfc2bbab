import { idFormatter, idParts, IDS_PER_SECOND, type Id } from '@hearth/protocol';
import type { RedisConnection } from '../redis-link.ts';
import { GREET, LOOK } from './redis-scripts.ts';

/** The keys of an instance's stream in Redis, all on one node of a cluster. */
export type StreamKeys = readonly [meta: string, stream: string, journal: string];

/** The keys behind `prefix`, such as `hearth:{3f2a}:`. */
export function streamKeys(prefix: string): StreamKeys {
  return [`${prefix}meta`, `${prefix}stream`, `${prefix}journal`];
}

/**
 * Makes sure that nothing was lost or repeated in the stream's epoch, or begins another. To be called on every new
 * connection before anything else is sent, because a server that was started again may remember too little, or an
 * older state. `brokenEpoch` is one that is not to be gone on with.
 */
export async function greetStream(
  connection: RedisConnection,
  keys: StreamKeys,
  brokenEpoch = '',
): Promise<void> {
  const info = String(await connection.send('INFO', ['server']));
  const run = /^run_id:(\w+)/m.exec(info)?.[1];
  if (run === undefined) throw new Error('Redis does not tell its run_id');
  await connection.run(GREET, keys, [run, crypto.randomUUID(), brokenEpoch]);
}

/** Where a reader of the stream is. */
export interface StreamPlace {
  readonly epoch: string;
  /** Grows with every epoch; the identifiers of entries begin with it. */
  readonly generation: string;
  readonly position: number;
}

/** An event as it stands in the stream. */
export interface StreamEntry {
  readonly generation: string;
  readonly position: number;
  readonly fields: readonly string[];
}

/** The stream at one moment. */
export interface StreamLook {
  /** Its newest event. */
  readonly head: StreamPlace;
  /** The oldest that are kept behind the place that was asked for, or of all where that is in another epoch. */
  readonly entries: readonly StreamEntry[];
}

/** How often a whole stream is looked for while somebody harms it. */
const MOST_ATTEMPTS = 3;

/** What is looked at: the oldest events behind a place, or of all that are kept. */
export interface StreamRange {
  readonly after: StreamPlace | undefined;
  readonly count: number;
}

/** Looks at the stream, which begins a new epoch where there is no whole one. */
export async function lookAtStream(
  connection: RedisConnection,
  keys: StreamKeys,
  range: StreamRange,
): Promise<StreamLook> {
  let brokenEpoch = '';
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { after, count } = range;
    const place = [after?.epoch ?? '', String(after?.position ?? 0), String(count)];
    const look = lookOf(await connection.run(LOOK, keys, place));
    if (look !== undefined && isPossible(look, after)) return look;
    brokenEpoch = look?.head.epoch ?? '';
    await greetStream(connection, keys, brokenEpoch);
  }
  throw new Error('Redis does not keep the stream');
}

function lookOf(answer: unknown): StreamLook | undefined {
  const [epoch, generation, position, entries] = listOf(answer);
  if (typeof epoch !== 'string') return undefined;
  const head = { epoch, generation: String(generation), position: Number(position) };
  return { head, entries: entriesOf(entries) };
}

// Of one epoch nothing may be told twice, whoever changed what is kept.
function isPossible({ head, entries }: StreamLook, after: StreamPlace | undefined): boolean {
  const isAhead = after?.epoch === head.epoch && after.position > head.position;
  return (
    !isAhead &&
    entries.every(
      ({ generation, position }) => generation === head.generation && position <= head.position,
    )
  );
}

/** The entries of an answer of XRANGE, or of one stream in that of XREAD. */
export function entriesOf(answer: unknown): StreamEntry[] {
  return listOf(answer).map((entry) => {
    const [key, fields] = listOf(entry);
    const [generation = '', position] = String(key).split('-');
    return { generation, position: Number(position), fields: listOf(fields).map(String) };
  });
}

/** Makes identifiers of their positions: seconds since the epoch times 65,536 plus sequence. */
export function idsOf(instanceId: number): (position: number) => Id {
  const format = idFormatter(instanceId);
  return (position) => format(Math.floor(position / IDS_PER_SECOND), position % IDS_PER_SECOND);
}

/** The position of an identifier. */
export function positionOf(id: Id): number {
  const { seconds, sequence } = idParts(id);
  return seconds * IDS_PER_SECOND + sequence;
}

function listOf(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}
