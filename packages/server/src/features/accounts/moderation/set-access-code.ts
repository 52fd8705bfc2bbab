import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { deleteRestriction, upsertRestriction } from './store.ts';

/** Sets the access code, or removes it if it is undefined. Throws ForbiddenError. */
export async function setAccessCode(
  { database }: Context,
  actor: Actor,
  code: string | undefined,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction(async (tx) => {
    if (code === undefined) await deleteRestriction(tx.sql, 'access_code');
    else await upsertRestriction(tx.sql, 'access_code', code);
    tx.changed('moderation', 'restrictions');
  });
}
