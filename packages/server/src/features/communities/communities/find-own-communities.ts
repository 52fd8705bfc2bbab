import { sightOf, type Id, type OwnCommunity } from '@hearth/protocol';
import { ownCommunityListSchema } from '@hearth/protocol/schemas';
import { ANYONE } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { MemberPart } from '../audiences/audiences.ts';
import {
  accessOf,
  selectLastIds,
  selectMemberCounts,
  type KeepsCommunities,
  type StoredMember,
} from '../structure/structure.ts';
import { describeOwnCommunity } from '../members/members.ts';

/** Describes the communities of which somebody is a member; those that were deleted for their owner only. */
export type DescribeOwn = (memberships: readonly StoredMember[]) => readonly OwnCommunity[];

/**
 * Reads communities for their members: three queries however many there are, and four more if this process does not know
 * all of them.
 */
export async function readOwnCommunities(
  { communities, database, clock }: Pick<Context, 'database' | 'clock'> & KeepsCommunities,
  ids: readonly Id[],
): Promise<DescribeOwn> {
  const [known, lastIds, counts] = await Promise.all([
    communities.all(ids),
    selectLastIds(database.reader, ids),
    selectMemberCounts(database.reader, ids),
  ]);
  return (memberships) => {
    const nowMs = clock.unixMs();
    return memberships.flatMap((member) => {
      const community = known.get(member.communityId);
      if (community === undefined || !sightOf(community, member.userId).reads) return [];
      const memberCount = counts.get(member.communityId) ?? community.stored.memberCount;
      const stored = { ...community.stored, memberCount };
      const access = accessOf({ clock }, ANYONE, { community: { ...community, stored }, member });
      return [describeOwnCommunity({ ...access, member }, { lastIds, nowMs })];
    });
  };
}

/** The communities of users, in READY. */
export const ownCommunitiesPart: MemberPart<
  Pick<Context, 'database' | 'clock'> & KeepsCommunities,
  'communities'
> = {
  key: 'communities',
  schema: ownCommunityListSchema,
  async read(ctx, { members }) {
    const ids = new Set(members.map(({ communityId }) => communityId));
    const describeOwn = await readOwnCommunities(ctx, [...ids]);
    return (_, memberships) => [...describeOwn(memberships)];
  },
};
