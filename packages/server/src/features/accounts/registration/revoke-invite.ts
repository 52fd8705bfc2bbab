import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { deleteInvite, type Invite } from './store.ts';

/** Removes an invite and returns it. Accounts that were registered with it stay. Throws ForbiddenError and NotFoundError. */
export async function revokeInvite(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  code: string,
): Promise<Invite> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  return await database.transaction(async ({ sql }) => {
    const invite = await deleteInvite(sql, code);
    if (invite === undefined) throw new NotFoundError();
    return invite;
  });
}
