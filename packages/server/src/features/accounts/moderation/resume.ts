import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Pausable } from '../../../restrictions.ts';
import { deleteRestriction } from './store.ts';

/** Ends the pauses of posting, uploads or both. Throws ForbiddenError. */
export async function resume(
  { database }: Context,
  actor: Actor,
  what: readonly Pausable[],
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction(async (tx) => {
    for (const each of what) await deleteRestriction(tx.sql, each);
    tx.changed('moderation', 'restrictions');
  });
}
