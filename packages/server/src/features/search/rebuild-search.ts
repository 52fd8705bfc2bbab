import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { INSTANCE, requirePermission } from '../../permissions.ts';
import { LOBBY_INDEX } from './lobby-index.ts';
import { beginIndex } from './store.ts';

/**
 * Begins the index of the lobby again. The instance makes it in the background and then deletes the old one; searches
 * find everything meanwhile. Throws ForbiddenError.
 */
export async function rebuildSearch(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction((tx) => beginIndex(tx.sql, LOBBY_INDEX));
}
