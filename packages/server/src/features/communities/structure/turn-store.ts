import type { Id } from '@hearth/protocol';
import { latestMoment } from '../../../lib/stored-moment.ts';
import type { Transaction, Writer } from '../../../ports/database/database.ts';
import { storedId } from '../../../ports/database/stored-id.ts';
import type { ChannelsTable } from './tables.ts';

/**
 * Takes as many numbers of the next events of each channel as it says, and locks the channels until the transaction ends.
 * Returns the last number of each.
 */
export async function nextNumbers(
  db: Writer,
  counts: ReadonlyMap<Id, number>,
): Promise<ReadonlyMap<Id, number>> {
  const taken = new Map<Id, number>();
  if (counts.size > 1) await lockRows(db, [...counts.keys()]);
  // Nearly all channels get one or two.
  for (const [count, some] of Map.groupBy(counts, ([, each]) => each)) {
    const ids = some.map(([id]) => id);
    const rows = await db
      .updateTable('channels')
      .set((own) => ({ number: own('number', '+', count) }))
      .where('id', 'in', ids)
      .returning(['id', 'number'])
      .execute();
    for (const { id, number } of rows) taken.set(storedId(id), Number(number));
  }
  return taken;
}

const LOCK = `update channels set number = number + 1
  where id = $1 and deleted_at_ms = 0 returning number, version, last_id, community_id`;

// One statement, because others may take their turn before a transaction that waits for the row a second time.
const LOCK_FOR_MESSAGES = `update channels set number = number + taken,
  last_id = case when (length(last_id), last_id) < (length(first_id), first_id) then newest_id else last_id end,
  last_at_ms = case when last_at_ms < now_ms or last_at_ms > latest_ms then now_ms else last_at_ms end
  from given where id = channel_id and deleted_at_ms = 0
  returning id, number, version, last_id, last_at_ms, community_id`;

const MESSAGES = {
  channel_id: 'text',
  taken: 'bigint',
  first_id: 'text',
  newest_id: 'text',
  now_ms: 'bigint',
  latest_ms: 'bigint',
} as const;

const SET_LAST = `update channels set last_id = $1,
  last_at_ms = case when last_at_ms < $2 or last_at_ms > $3 then $4 else last_at_ms end
  where id = $5 returning last_at_ms`;

type LockedRow = Pick<ChannelsTable, 'number' | 'version' | 'last_id' | 'community_id'>;

/** A channel that is locked until the transaction ends. */
export interface LockedChannel {
  /** The number of its next event, which is taken. */
  readonly number: number;
  /** Another one than a process remembers if that is out of date. */
  readonly version: number;
  /** The id of its newest message; empty if there was none. */
  readonly lastId: Id | '';
  readonly communityId: Id;
}

/** Takes the number of the next event of a channel, and locks it until the transaction ends; undefined if it was deleted. */
export async function lockRow(tx: Transaction, id: Id): Promise<LockedChannel | undefined> {
  const [row] = await tx.rows<LockedRow>({ text: LOCK, values: [id] });
  return row && lockedOf(row);
}

/** New messages of a channel, whose ids were drawn in this order. */
export interface NewMessages {
  readonly channelId: Id;
  readonly ids: readonly Id[];
}

/** A channel that is locked for new messages. */
export interface LockedForMessages extends LockedChannel {
  /** When the messages are written: now, but not before the newest message. */
  readonly writtenAtMs: number;
}

/**
 * The same for new messages: takes a number for each, of which `number` is the last one. The last of them becomes the newest if
 * the first one is newer than the newest message. Returns the channels that there are.
 */
export async function lockRowsForMessages(
  tx: Transaction,
  messages: readonly NewMessages[],
  nowMs: number,
): Promise<ReadonlyMap<Id, LockedForMessages>> {
  const rows = await tx.many<LockedRow & Pick<ChannelsTable, 'id' | 'last_at_ms'>>({
    text: LOCK_FOR_MESSAGES,
    columns: MESSAGES,
    rows: messages.map(({ channelId, ids }) => {
      const [first = '', newest = first] = [ids[0], ids.at(-1)];
      return [channelId, ids.length, first, newest, nowMs, latestMoment(nowMs)];
    }),
  });
  return new Map(
    rows.map((row) => [
      storedId(row.id),
      { ...lockedOf(row), writtenAtMs: Number(row.last_at_ms) },
    ]),
  );
}

function lockedOf(row: LockedRow): LockedChannel {
  return {
    number: Number(row.number),
    version: Number(row.version),
    lastId: row.last_id === '' ? '' : storedId(row.last_id),
    communityId: storedId(row.community_id),
  };
}

/** Notes the newest message of a channel that is locked. Returns when it is written: now, but not before the one before it. */
export async function updateLast(
  tx: Transaction,
  id: Id,
  { messageId, nowMs }: { readonly messageId: Id; readonly nowMs: number },
): Promise<number> {
  const values = [messageId, nowMs, latestMoment(nowMs), nowMs, id];
  const [row] = await tx.rows<Pick<ChannelsTable, 'last_at_ms'>>({ text: SET_LAST, values });
  return Number(row?.last_at_ms ?? nowMs);
}

/** Locks channels until the transaction ends, without taking numbers. */
export async function lockRows(db: Writer, ids: readonly Id[]): Promise<void> {
  await db
    .selectFrom('channels')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Locks all channels of a community until the transaction ends. */
export async function lockRowsOf(db: Writer, communityId: Id): Promise<void> {
  await db
    .selectFrom('channels')
    .select('id')
    .where('community_id', '=', communityId)
    .where('deleted_at_ms', '=', 0)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Raises the versions of all channels of a community. */
export async function raiseVersionsOf(db: Writer, communityId: Id): Promise<void> {
  await db
    .updateTable('channels')
    .set((own) => ({ version: own('version', '+', 1) }))
    .where('community_id', '=', communityId)
    .where('deleted_at_ms', '=', 0)
    .execute();
}
