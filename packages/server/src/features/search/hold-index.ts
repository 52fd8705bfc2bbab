import { compareIds, type Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../ports/database/database.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import { IdTooLow } from '../messages/turn.ts';
import { holdIndexRows } from './channels/hold-store.ts';
import { insertIndex } from './channels/store.ts';

/**
 * Keeps the index of a channel from passing the id of a new post or comment until the transaction ends: what is older than
 * the newest one in the index is never indexed. Throws IdTooLow if the index has passed the id.
 */
export async function holdIndexBelow(db: Writer, channelId: Id, id: Id): Promise<void> {
  const indexed = (await selectLastId(db, channelId)) ?? (await begin(db, channelId));
  if (indexed !== undefined && compareIds(id, indexed) <= 0) throw new IdTooLow(indexed);
}

/** Keeps the indexes of channels in the same way. Returns the newest id in each, which the ids of what is new have to exceed. */
export async function holdIndexes(
  tx: Transaction,
  channelIds: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  const ids = channelIds.toSorted();
  const held = await holdIndexRows(tx, ids);
  if (held.size === ids.length) return held;
  for (const id of ids) if (!held.has(id)) await insertIndex(tx.sql, id);
  return await holdIndexRows(tx, ids);
}

/** Begins an index. Waits for an indexer that does so, and returns how far it has come. */
async function begin(db: Writer, channelId: Id): Promise<Id | undefined> {
  await insertIndex(db, channelId);
  return await selectLastId(db, channelId);
}

async function selectLastId(db: Writer, channelId: Id): Promise<Id | undefined> {
  const row = await db
    .selectFrom('channel_index')
    .select('last_id')
    .where('channel_id', '=', channelId)
    .forShare()
    .executeTakeFirst();
  return row && storedId(row.last_id);
}
