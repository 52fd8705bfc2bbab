import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectBans, type Ban } from './store.ts';

/** The bans that have not ended, the oldest first. Throws ForbiddenError. */
export async function listBans(
  { database, clock }: Context,
  actor: Actor,
): Promise<readonly Ban[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return selectBans(database.reader, clock.unixMs());
}
