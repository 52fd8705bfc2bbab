import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { INSTANCE, requirePermission } from '../../permissions.ts';
import { selectUsers, type ManagedUser, type UserFilter } from './store.ts';

/** Accounts, the newest first; without those that are deleted unless they are asked for. Throws ForbiddenError. */
export async function listUsers(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  filter: UserFilter,
): Promise<readonly ManagedUser[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  return await selectUsers(database.reader, filter);
}
