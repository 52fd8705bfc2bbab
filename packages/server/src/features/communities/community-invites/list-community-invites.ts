import {
  ForbiddenError,
  hasPermission,
  PERMISSIONS,
  type CommunityInvite,
  type Id,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { accessTo, type AccessContext } from '../structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { describeInvite } from './describe-invite.ts';
import { selectUsable } from './store.ts';

/**
 * The invites of a community that can be used, the newest first: all of them with MANAGE_INVITES, otherwise those that the
 * caller made. Throws ForbiddenError if they are not a member.
 */
export async function listCommunityInvites(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { community_id: communityId }: { readonly community_id: Id },
): Promise<readonly CommunityInvite[]> {
  const access = await accessTo(ctx, actor, communityId);
  if (access.member === undefined) throw new ForbiddenError({ code: 'not_member' });
  const seesAll = hasPermission(PERMISSIONS, access.permissions, 'MANAGE_INVITES');
  const invites = await selectUsable(ctx.database.reader, communityId, {
    nowMs: ctx.clock.unixMs(),
    createdBy: seesAll ? undefined : actor.user_id,
  });
  const people = invites.flatMap(({ created_by: by }) => (by === '' ? [] : [by]));
  const users = await ctx.users.all(people);
  return invites.map((invite) => describeInvite(invite, access, users));
}
