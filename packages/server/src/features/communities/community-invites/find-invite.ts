import { NotFoundError, type Invitation } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  NOWHERE,
  describeCommunity,
  isBanned,
  readStored,
  type KeepsCommunities,
} from '../structure/structure.ts';
import { requireAccessCode } from '../../accounts/moderation/moderation.ts';
import { isUsable } from './is-usable.ts';
import { mayRegister } from './may-register.ts';
import { selectInvite } from './store.ts';

/**
 * Finds what everyone who has the code of an invite is shown. Throws NotFoundError, after the same queries, if it
 * cannot be used or if the caller is banned from the community.
 */
export async function findInvite(
  ctx: Context & KeepsCommunities,
  actor: Actor,
  { code }: { readonly code: string },
): Promise<Invitation> {
  // Not as a reader: where visitors may read nothing, an invite lets them in all the same.
  await requireAccessCode(ctx, actor);
  const { reader } = ctx.database;
  const nowMs = ctx.clock.unixMs();
  const invite = await selectInvite(reader, code);
  const communityId = invite?.community_id ?? NOWHERE;
  const stored = await readStored(reader, communityId);
  const mayNot =
    actor.kind === 'account' &&
    (await isBanned(reader, { communityId, userId: actor.user_id, nowMs }));
  if (invite === undefined || stored === undefined || mayNot) throw new NotFoundError();
  if (!isUsable(invite, nowMs)) throw new NotFoundError();
  const community = await ctx.communities.get(communityId);
  if (community === undefined) throw new NotFoundError();
  const { channel_id: channelId, expires_at_ms: expiresAtMs } = invite;
  const channel = channelId === '' ? undefined : community.channelById.get(channelId);
  const { id, slug, name, description, icon, banner, visibility, member_count, sensitive } =
    describeCommunity(stored);
  return {
    code,
    community: {
      id,
      slug,
      name,
      visibility,
      member_count,
      ...(description !== undefined && { description }),
      ...(icon !== undefined && { icon }),
      ...(banner !== undefined && { banner }),
      ...(sensitive !== undefined && { sensitive }),
    },
    ...(channel?.isRestricted === false && { channel_id: channel.id }),
    ...(expiresAtMs > 0 && { expires_at: expiresAtMs }),
    registers: await mayRegister(reader, ctx, { invite, community }),
  };
}
