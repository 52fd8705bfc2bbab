import { sightOf, type Id, type PointRules, type Points } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  accessTo,
  readMemberships,
  type AccessContext,
  type KeepsCommunities,
} from '../../communities/structure/structure.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { findUser, type ProfilePart } from '../../accounts/users/users.ts';
import { POINT_RULES } from './point-rules.ts';
import { selectPointedCommunities, selectPoints, sumPoints } from './store.ts';

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

/** The communities in which somebody was ever given points. */
export function findPointedCommunities(db: Reader, userId: Id): Promise<readonly Id[]> {
  return selectPointedCommunities(db, userId);
}

/** The points of a person, as others see them with what the person says of themselves; nothing if there are none. */
export const describePoints: ProfilePart = async ({ database }, userId) => {
  const points = await sumPoints(database.reader, userId);
  return points === 0 ? {} : { points: inPoints(points) };
};

function inPoints(thousandths: number): number {
  return thousandths / 1_000;
}
