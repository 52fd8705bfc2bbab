import { NotFoundError, type Community, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import {
  NOWHERE,
  accessTo,
  describeCommunity,
  selectIdOfSlug,
  selectMemberCounts,
  type AccessContext,
} from '../structure/structure.ts';

/** A community. Throws NotFoundError if the caller may not know that it exists. */
export async function findCommunity(
  ctx: AccessContext,
  actor: Actor,
  { id }: { readonly id: Id },
): Promise<Community> {
  const { community } = await accessTo(ctx, actor, id);
  const counts = await selectMemberCounts(ctx.database.reader, [id]);
  const { stored } = community;
  return describeCommunity({ ...stored, memberCount: counts.get(id) ?? stored.memberCount });
}

/** A community by its slug. Throws NotFoundError if the caller may not know that it exists. */
export async function findCommunityBySlug(
  ctx: AccessContext,
  actor: Actor,
  { slug }: { readonly slug: string },
): Promise<Community> {
  const id = await selectIdOfSlug(ctx.database.reader, slug.toLowerCase());
  if (id === undefined) return await nowhere(ctx, actor);
  return await findCommunity(ctx, actor, { id });
}

/** Does what a look at a community does that the caller may not see. */
async function nowhere(ctx: AccessContext, actor: Actor): Promise<never> {
  await accessTo(ctx, actor, NOWHERE);
  throw new NotFoundError();
}
