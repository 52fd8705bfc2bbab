import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { INSTANCE, requirePermission } from '../../permissions.ts';
import { deleteInvite } from './store.ts';

/** Removes an invite. Accounts that were registered with it stay. Throws ForbiddenError and NotFoundError. */
export async function revokeInvite(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  code: string,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  await database.transaction(async ({ sql }) => {
    if (!(await deleteInvite(sql, code))) throw new NotFoundError();
  });
}
