import { NotFoundError, type Id, type Member } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { accessTo, type AccessContext } from '../structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { describeMember } from './describe-member.ts';

/** A member of a community. Throws NotFoundError if there is none, or if the caller may not know that it exists. */
export async function findMember(
  ctx: AccessContext & KeepsUsers,
  actor: Actor,
  { community_id: id, user_id: userId }: { readonly community_id: Id; readonly user_id: Id },
): Promise<Member> {
  await accessTo(ctx, actor, id);
  const member = await ctx.members.get(id, userId);
  if (member === undefined) throw new NotFoundError();
  return describeMember(member, await ctx.users.get(userId), ctx.clock.unixMs());
}
