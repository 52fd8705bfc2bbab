import { NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  accessTo,
  readMemberships,
  type AccessContext,
  type KeepsCommunities,
} from '../structure/structure.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { readOwnCommunities } from './find-own-communities.ts';
import { findOwnCommunity } from '../members/members.ts';

/** The communities of the caller as READY has them, in the order in which they were joined. */
export async function listOwnCommunities(
  ctx: Context & KeepsCommunities,
  actor: Account,
): Promise<readonly OwnCommunity[]> {
  await requireReader(ctx, actor);
  const members = await readMemberships(ctx.database.reader, actor.user_id);
  const describe = await readOwnCommunities(
    ctx,
    members.map(({ communityId }) => communityId),
  );
  return describe(members);
}

/** One of the communities of the caller. Throws NotFoundError if they are not a member. */
export async function showOwnCommunity(
  ctx: AccessContext,
  actor: Account,
  { id }: { readonly id: Id },
): Promise<OwnCommunity> {
  const { member } = await accessTo(ctx, actor, id);
  if (member === undefined) throw new NotFoundError();
  return await findOwnCommunity(ctx.database.reader, ctx, { actor, id });
}
