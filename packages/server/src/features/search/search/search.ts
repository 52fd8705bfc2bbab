import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { markAllStale } from './channels/store.ts';
import { LOBBY_INDEX, beginIndex } from './store.ts';

export { ChannelIndexer } from './channels/channel-indexer.ts';
export { holdIndexes } from './channels/store.ts';
export { Indexer } from './indexer.ts';

/**
 * Begins the indexes of the lobby and of all channels again. The instance makes them in the background; searches find
 * everything meanwhile. Throws ForbiddenError.
 */
export async function rebuildSearch(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction(async (tx) => {
    await beginIndex(tx.sql, LOBBY_INDEX);
    await markAllStale(tx.sql);
  });
}
