import { NotFoundError, type OwnCommunity } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  NOWHERE,
  isBanned,
  selectMember,
  readStored,
  type AccessContext,
} from '../structure/structure.ts';
import type { HasMembershipBeginners } from '../members/members.ts';
import { requireEntry } from '../../accounts/moderation/moderation.ts';
import { isUsable } from './is-usable.ts';
import { selectInvite } from './store.ts';
import { useInvites } from './use-invites.ts';

/**
 * Makes the caller a member of the community that an invite is for; a member already is answered the same, and uses nothing.
 * Throws NotFoundError, after the same queries, if it cannot be used or if they are banned from the community, and
 * ConflictError for one community too many.
 */
export async function useInvite(
  ctx: AccessContext & HasMembershipBeginners,
  actor: Account,
  { code }: { readonly code: string },
): Promise<OwnCommunity> {
  await requireEntry(ctx, actor);
  const { reader } = ctx.database;
  const nowMs = ctx.clock.unixMs();
  const { user_id: userId } = actor;
  const invite = await selectInvite(reader, code);
  const communityId = invite?.community_id ?? NOWHERE;
  const community = await readStored(reader, communityId);
  const member = await selectMember(reader, communityId, userId);
  const mayNot = await isBanned(reader, { communityId, userId, nowMs });
  if (invite === undefined || community === undefined || mayNot) throw new NotFoundError();
  if (member === undefined && !isUsable(invite, nowMs)) throw new NotFoundError();
  const writing = { subjects: [communityId, userId], caller: userId } as const;
  return await ctx.database.write(useInvites, { ctx, invite, userId }, writing);
}
