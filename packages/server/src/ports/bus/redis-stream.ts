import { ID_EPOCH_SECONDS, idFormatter, idParts, IDS_PER_SECOND, type Id } from '@hearth/protocol';
import type { RedisConnection } from '../redis-link.ts';
import type { AppendedKey, StreamName } from './bus.ts';
import { READ_HEADS, READ_STREAM } from './redis-reading-scripts.ts';
import { PREPARE_STREAM, RECALL } from './redis-scripts.ts';
import { epochOf, StreamHeads } from './stream-heads.ts';

/** The Redis keys of an instance's bus, all on one node of a cluster. */
export type StreamKeys = readonly [
  meta: string,
  stream: string,
  journal: string,
  heads: string,
  headUses: string,
  subjects: string,
  subjectUses: string,
  appended: string,
  appendedAt: string,
];

/** The keys that begin with `prefix`, such as `hearth:2:{3f2a}:`. */
export function streamKeys(prefix: string): StreamKeys {
  return [
    `${prefix}bus`,
    `${prefix}events`,
    `${prefix}journal`,
    `${prefix}heads`,
    `${prefix}heads:used`,
    `${prefix}subjects`,
    `${prefix}subjects:used`,
    `${prefix}appended`,
    `${prefix}appended:at`,
  ];
}

/**
 * Makes sure that nothing was lost or repeated in the stream's epoch, or begins a new one. Call it on every new
 * connection before anything else is sent, because a restarted server may have lost data or have an older state.
 * `brokenEpoch` is an epoch that must not be continued.
 */
export async function prepareStream(
  connection: RedisConnection,
  keys: StreamKeys,
  brokenEpoch = '',
): Promise<void> {
  const info = String(await connection.send('INFO', ['server']));
  const run = /^run_id:(\w+)/m.exec(info)?.[1];
  if (run === undefined) throw new Error('Redis does not report its run_id');
  await connection.run(PREPARE_STREAM, keys, [run, crypto.randomUUID(), brokenEpoch]);
}

/** The number of keys that a script remembers at once. */
const RECALLED_AT_ONCE = 1_000;

/**
 * Makes sure that Redis knows what was appended with keys before the stream's epoch began, because it may have lost that. Call
 * it on every new connection after {@link prepareStream}. `list` is called once in an epoch; if it resolves with
 * undefined, the next connection tries again.
 */
export async function recallAppended(
  connection: RedisConnection,
  keys: StreamKeys,
  list: () => Promise<readonly AppendedKey[] | undefined>,
): Promise<void> {
  const isRecalled = await connection.send('HEXISTS', [keys[0], 'recalled']);
  if (Number(isRecalled) === 1) return;
  const appended = await list();
  if (appended === undefined) return;
  for (let from = 0; from === 0 || from < appended.length; from += RECALLED_AT_ONCE) {
    const part = appended.slice(from, from + RECALLED_AT_ONCE);
    const isLast = from + RECALLED_AT_ONCE >= appended.length;
    const values = part.flatMap(({ key, id }) => [key, String(positionOf(id)), String(msOf(id))]);
    await connection.run(RECALL, keys, [isLast ? '1' : '0', ...values]);
  }
}

/** A reader's place among the entries of all streams. */
export interface StreamPlace {
  readonly epoch: string;
  /** Grows with every epoch. The identifiers of entries begin with it. */
  readonly generation: string;
  readonly number: number;
}

/** An entry as it is stored in Redis. */
export interface StreamEntry {
  readonly generation: string;
  readonly number: number;
  readonly text: string;
}

/** The entries at one moment. */
export interface StreamReading {
  /** The place of the newest entry. */
  readonly head: StreamPlace;
  /** The oldest kept entries after the requested place, or of the whole stream if that place is in another epoch. */
  readonly entries: readonly StreamEntry[];
}

/** The number of attempts to find a whole stream while somebody damages it. */
const MOST_ATTEMPTS = 3;

/** Entries to read: the oldest entries after a place, or of all that are kept. */
export interface StreamRange {
  readonly after: StreamPlace | undefined;
  readonly count: number;
}

/** Reads entries of the stream. If there is no whole stream, a new epoch begins. */
export async function readStreamPlace(
  connection: RedisConnection,
  keys: StreamKeys,
  range: StreamRange,
): Promise<StreamReading> {
  let brokenEpoch = '';
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { after, count } = range;
    const place = [after?.epoch ?? '', String(after?.number ?? 0), String(count)];
    const reading = readingOf(await connection.run(READ_STREAM, keys, place));
    if (reading !== undefined && isPossible(reading, after)) return reading;
    brokenEpoch = reading?.head.epoch ?? '';
    await prepareStream(connection, keys, brokenEpoch);
  }
  throw new Error('Redis does not keep the stream');
}

function readingOf(answer: unknown): StreamReading | undefined {
  const [epoch, generation, number, entries] = listOf(answer);
  if (typeof epoch !== 'string') return undefined;
  const head = { epoch, generation: String(generation), number: Number(number) };
  return { head, entries: entriesOf(entries) };
}

// No entry of an epoch is delivered twice, even if somebody changes the kept ones.
function isPossible({ head, entries }: StreamReading, after: StreamPlace | undefined): boolean {
  const isAhead = after?.epoch === head.epoch && after.number > head.number;
  return (
    !isAhead &&
    entries.every(
      ({ generation, number }) => generation === head.generation && number <= head.number,
    )
  );
}

/** The entries in a reply to XRANGE, or in that of one stream in a reply to XREAD. */
export function entriesOf(answer: unknown): StreamEntry[] {
  return listOf(answer).map((entry) => {
    const [key, fields] = listOf(entry);
    const [, text] = listOf(fields);
    const [generation = '', number] = String(key).split('-');
    return { generation, number: Number(number), text: String(text) };
  });
}

/** The positions of all streams, and the entries at that moment. */
export interface HeadsReading {
  readonly heads: StreamHeads;
  readonly place: StreamPlace;
  readonly unixMs: number;
}

/** Reads the positions of all streams. If Redis does not know them, a new epoch begins. */
export async function readHeads(
  connection: RedisConnection,
  keys: StreamKeys,
  options: { readonly journaled: StreamName; readonly most: number },
): Promise<HeadsReading> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const answer = listOf(await connection.run(READ_HEADS, keys, []));
    const [epoch, generation, number, unixMs, position, forgotten, streams] = answer;
    if (typeof epoch === 'string') {
      const heads = new StreamHeads({ ...options, epoch, forgotten: Number(forgotten) });
      heads.set(options.journaled, { epoch, position: Number(position) });
      const texts = listOf(streams).map(String);
      for (let i = 0; i + 1 < texts.length; i += 2) {
        const [begun = '0', at] = (texts[i + 1] ?? '').split(' ');
        heads.set(texts[i] ?? '', { epoch: epochOf(epoch, begun), position: Number(at) });
      }
      const place = { epoch, generation: String(generation), number: Number(number) };
      return { heads, place, unixMs: Number(unixMs) };
    }
    await prepareStream(connection, keys);
  }
  throw new Error('Redis does not keep the stream');
}

/** Makes identifiers from their positions: seconds since the epoch times 65,536, plus the sequence. */
export function idsOf(instanceId: number): (position: number) => Id {
  const format = idFormatter(instanceId);
  return (position) => format(Math.floor(position / IDS_PER_SECOND), position % IDS_PER_SECOND);
}

/** The position of an identifier. */
export function positionOf(id: Id): number {
  const { seconds, sequence } = idParts(id);
  return seconds * IDS_PER_SECOND + sequence;
}

/** When an identifier was made, in Unix milliseconds. */
function msOf(id: Id): number {
  return (ID_EPOCH_SECONDS + idParts(id).seconds) * 1_000;
}

function listOf(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}
