import type { Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../ports/database/database.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import type { StoredChannel } from './store.ts';
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

const NEXT_NUMBER = `update channels set number = number + 1
  where id = $1 and version = $2 and deleted_at_ms = 0 returning number`;

const NEXT_MESSAGE = `update channels set number = number + 1, last_id = $1
  where id = $2 and version = $3 and deleted_at_ms = 0 and (length(last_id), last_id) < ($4, $5)
  returning number`;

const LOCK = `update channels set number = number + 1
  where id = $1 and deleted_at_ms = 0 returning number, last_id, community_id`;

/** A channel as a process remembers it. */
export type VersionOfChannel = Pick<StoredChannel, 'id' | 'version'>;
type NumberRow = Pick<ChannelsTable, 'number'>;

/** Takes the number of the next event of a channel that has a version; undefined if it has another one. */
export async function nextNumberOf(
  tx: Transaction,
  { id, version }: VersionOfChannel,
): Promise<number | undefined> {
  const [row] = await tx.rows<NumberRow>({ text: NEXT_NUMBER, values: [id, version] });
  return row === undefined ? undefined : Number(row.number);
}

/** The same for a new message; undefined also if its id is not greater than that of the newest one. */
export async function nextNumberOfNewest(
  tx: Transaction,
  { id, version }: VersionOfChannel,
  messageId: Id,
): Promise<number | undefined> {
  const values = [messageId, id, version, messageId.length, messageId];
  const [row] = await tx.rows<NumberRow>({ text: NEXT_MESSAGE, values });
  return row === undefined ? undefined : Number(row.number);
}

/** A channel that is locked until the transaction ends. */
export interface LockedChannel {
  /** The number of its next event, which is taken. */
  readonly number: number;
  /** The id of its newest message; empty if there was none. */
  readonly lastId: Id | '';
  readonly communityId: Id;
}

/** The same for a channel of any version; undefined if it was deleted. */
export async function lockRow(tx: Transaction, id: Id): Promise<LockedChannel | undefined> {
  const [row] = await tx.rows<Pick<ChannelsTable, 'number' | 'last_id' | 'community_id'>>({
    text: LOCK,
    values: [id],
  });
  return (
    row && {
      number: Number(row.number),
      lastId: row.last_id === '' ? '' : storedId(row.last_id),
      communityId: storedId(row.community_id),
    }
  );
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

/** Notes the newest message of a channel that is locked. */
export async function updateLastId(db: Writer, id: Id, messageId: Id): Promise<void> {
  await db.updateTable('channels').set({ last_id: messageId }).where('id', '=', id).execute();
}
