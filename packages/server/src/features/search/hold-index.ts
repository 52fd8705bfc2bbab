import { compareIds, type Id } from '@hearth/protocol';
import type { Writer } from '../../ports/database/database.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import { IdTooLow } from '../messages/turn.ts';
import { insertIndex } from './channels/store.ts';

/**
 * Keeps the index of a channel from passing the id of a new post or comment until the transaction ends: what is older than
 * the newest one in the index is never indexed. It has to come before all other locks, because the indexer waits for those
 * who change posts and comments. Throws IdTooLow if the index has passed the id.
 */
export async function holdIndexBelow(db: Writer, channelId: Id, id: Id): Promise<void> {
  const indexed = (await selectLastId(db, channelId)) ?? (await begin(db, channelId));
  if (indexed !== undefined && compareIds(id, indexed) <= 0) throw new IdTooLow(indexed);
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
