import type { Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../ports/database/database.ts';
import { storedId } from '../../ports/database/stored-id.ts';
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

const LOCK = `update channels set number = number + 1
  where id = $1 and deleted_at_ms = 0 returning number, version, last_id, community_id`;

// One statement, because others may take their turn before a transaction that waits for the row a second time.
const LOCK_FOR_MESSAGE = `update channels set number = number + 1,
  last_id = case when (length(last_id), last_id) < ($1, $2) then $3 else last_id end
  where id = $4 and deleted_at_ms = 0 returning number, version, last_id, community_id`;

const SET_LAST_ID = `update channels set last_id = $1 where id = $2`;

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

/** The same for a new message, which becomes the newest one if its id is greater than that of the newest. */
export async function lockRowForMessage(
  tx: Transaction,
  id: Id,
  messageId: Id,
): Promise<LockedChannel | undefined> {
  const values = [messageId.length, messageId, messageId, id];
  const [row] = await tx.rows<LockedRow>({ text: LOCK_FOR_MESSAGE, values });
  return row && lockedOf(row);
}

function lockedOf(row: LockedRow): LockedChannel {
  return {
    number: Number(row.number),
    version: Number(row.version),
    lastId: row.last_id === '' ? '' : storedId(row.last_id),
    communityId: storedId(row.community_id),
  };
}

/** Notes the newest message of a channel that is locked. */
export async function updateLastId(tx: Transaction, id: Id, messageId: Id): Promise<void> {
  await tx.run({ text: SET_LAST_ID, values: [messageId, id] });
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
