import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { deleteRestriction, upsertRestriction } from './store.ts';

/** Lets every client post once in this many seconds; 0 ends slow mode. Throws ForbiddenError. */
export async function setSlowMode(
  { database }: Context,
  actor: Actor,
  seconds: number,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction(async (tx) => {
    if (seconds === 0) await deleteRestriction(tx.sql, 'slow_mode');
    else await upsertRestriction(tx.sql, 'slow_mode', seconds);
    tx.changed('moderation', 'restrictions');
  });
}
