import { NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import { findLastIds } from '../channels/find-channels.ts';
import { readMemberships } from '../members/read-member.ts';
import { requireReader } from '../users/require-reader.ts';
import { accessOf, accessTo } from './access.ts';
import type { CommunityContext } from './community-context.ts';
import { describeOwnCommunity } from './describe-own-community.ts';
import { findOwnCommunity } from './find-own-community.ts';
import { selectMemberCounts } from './store.ts';

/** The communities of the caller as READY has them, the one joined first first. */
export async function listOwnCommunities(
  ctx: CommunityContext,
  actor: User,
): Promise<readonly OwnCommunity[]> {
  await requireReader(ctx, actor);
  const { reader } = ctx.database;
  const members = await readMemberships(reader, actor.user_id);
  const ids = members.map(({ communityId }) => communityId);
  const known = await ctx.communities.all(ids);
  const lastIds = await findLastIds(reader, ids);
  const counts = await selectMemberCounts(reader, ids);
  const nowMs = ctx.clock.unixMs();
  return members.flatMap((member) => {
    const community = known.get(member.communityId);
    if (community === undefined) return [];
    const { stored } = community;
    if (stored.deletedAtMs > 0 && stored.ownerId !== actor.user_id) return [];
    const memberCount = counts.get(stored.id) ?? stored.memberCount;
    const counted = { ...community, stored: { ...stored, memberCount } };
    const access = accessOf(ctx, actor, { community: counted, member });
    return [describeOwnCommunity({ ...access, member }, { lastIds, nowMs })];
  });
}

/** One of the communities of the caller. Throws NotFoundError if they are not a member. */
export async function showOwnCommunity(
  ctx: CommunityContext,
  actor: User,
  { id }: { readonly id: Id },
): Promise<OwnCommunity> {
  const { member } = await accessTo(ctx, actor, id);
  if (member === undefined) throw new NotFoundError();
  return await findOwnCommunity(ctx.database.reader, ctx, { actor, id });
}
