import { sightOf, type Id, type PointRules, type Points } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  accessTo,
  readMemberships,
  type AccessContext,
  type KeepsCommunities,
} from '../../communities/structure/structure.ts';
import { findUser, type ProfilePart } from '../../accounts/users/users.ts';
import { DAY_MS } from '../../../lib/clock.ts';
import { selectPoints, sumPoints } from './store.ts';

/** By which rules points are earned. There are no others. */
export const POINT_RULES: PointRules = {
  vote: 1,
  voter_age_ms: DAY_MS,
  pair_factor: 0.5,
  pair_ms: 30 * DAY_MS,
  accepted_answer: 5,
};

/** The points of a person, and those in the communities that the caller may see. Throws NotFoundError. */
export async function findPoints(
  ctx: Context & KeepsCommunities,
  actor: Actor,
  { user_id: userId }: { readonly user_id: Id },
): Promise<Points> {
  await findUser(ctx, actor, { id: userId });
  const { reader } = ctx.database;
  const given = await selectPoints(reader, userId);
  const own = actor.kind === 'account' ? await readMemberships(reader, actor.user_id) : [];
  const memberIn = new Map(own.map((member) => [member.communityId, member.userId]));
  const communities = await ctx.communities.all(given.map(({ communityId }) => communityId));
  const shown = given.filter(({ communityId: id }) => {
    const community = communities.get(id);
    return community !== undefined && sightOf(community, memberIn.get(id)).finds;
  });
  return {
    points: inPoints(given.reduce((sum, { points }) => sum + points, 0)),
    communities: shown.map(({ communityId: id, points }) => ({ id, points: inPoints(points) })),
  };
}

/** By which rules points are earned in a community. Throws NotFoundError. */
export async function findPointRules(
  ctx: AccessContext,
  actor: Actor,
  { community_id: id }: { readonly community_id: Id },
): Promise<PointRules> {
  await accessTo(ctx, actor, id);
  return POINT_RULES;
}

/** The points of a person, as others see them with what the person says of themselves; nothing if there are none. */
export const describePoints: ProfilePart = async ({ database }, userId) => {
  const points = await sumPoints(database.reader, userId);
  return points === 0 ? {} : { points: inPoints(points) };
};

function inPoints(thousandths: number): number {
  return thousandths / 1_000;
}
