import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectInvites, type Invite } from './store.ts';

const MOST_LISTED = 1_000;

/** The newest 1,000 invites, the newest first, without that of the owner's account. Throws ForbiddenError. */
export async function listInvites(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
): Promise<readonly Invite[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  return await selectInvites(database.reader, MOST_LISTED);
}
