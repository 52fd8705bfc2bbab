import { sightOf } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { selectMemberships, type KeepsCommunities } from '../structure/structure.ts';
import type { ExportPart } from '../../accounts/exports/exports.ts';
import { describeMembership } from './describe-member.ts';

/** The memberships of a person, with the names of the communities and of their roles there. */
export const exportMemberships: ExportPart<
  Pick<Context, 'database' | 'clock'> & KeepsCommunities
> = async ({ database, communities, clock }, userId) => {
  const nowMs = clock.unixMs();
  const memberships = await selectMemberships(database.reader, userId);
  if (memberships.length === 0) return [];
  const known = await communities.all(memberships.map(({ communityId }) => communityId));
  const described = memberships.map((member) => {
    const community = known.get(member.communityId);
    // One that was deleted exists for its owner only.
    const isThere = community !== undefined && sightOf(community, userId).reads;
    const { name, slug } = isThere ? community.stored : {};
    const roles = member.roleIds.map((id) => {
      return isThere ? (community.roleById.get(id)?.name ?? id) : id;
    });
    const place = { community_id: member.communityId, name, slug };
    return { ...place, roles, ...describeMembership(member, nowMs) };
  });
  const text = JSON.stringify(described, null, 2);
  return [{ name: 'communities.json', modifiedAtMs: nowMs, read: async () => text }];
};
