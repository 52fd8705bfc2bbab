import { NotFoundError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit, beginEntry } from '../../communities/audit/audit.ts';
import {
  keepCommunity,
  requireIn,
  type AccessContext,
  type ChannelAccess,
} from '../../communities/structure/structure.ts';
import {
  channelPlace,
  emitIn,
  requireMember,
  takeTurn,
  type Requirement,
  type ChannelPlace,
  type Turning,
} from '../../talk/places/places.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { KEPT } from '../../../ports/database/database.ts';
import { accessToPost } from './post-access.ts';
import { removingPosts } from './remove-posts.ts';
import { lockPost } from './store.ts';

/**
 * Deletes a post with its comments: one's own, or any with the permission MANAGE_CONTENT, which is noted in the audit log.
 * Throws NotFoundError and ForbiddenError.
 */
export async function deletePost(
  ctx: AccessContext,
  actor: Account,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  await requireAdmission(ctx, actor, 'removing');
  const seen = await accessToPost(ctx, actor, id);
  const isOwn = seen.post.userId === actor.user_id;
  const requires: Requirement<ChannelAccess> = (access) => {
    if (isOwn) return;
    requireMember(access);
    requireIn(access, 'MANAGE_CONTENT', ctx.clock.unixMs());
  };
  const options = isOwn ? {} : KEPT;
  requires(seen);
  const turning: Turning<ChannelPlace> = { actor, access: channelPlace(seen), requires };
  const { channelId, communityId } = seen.post;
  const entry = await beginEntry(ctx, actor, communityId);
  await removingPosts(ctx, (remove) =>
    ctx.database.transaction(async (tx) => {
      if (!isOwn) await keepCommunity(tx, communityId);
      const turn = await takeTurn(tx, ctx, turning);
      const post = await lockPost(tx.sql, id);
      if (post === undefined) throw new NotFoundError();
      await remove(tx, [post]);
      if (!isOwn) {
        const target = { kind: 'post', id, name: post.title } as const;
        await audit(tx, entry, { action: 'post_delete', target, channel: turn.access.channel });
      }
      await emitIn(tx, turn, { op: 'POST_DELETE', d: { channel_id: channelId, id } });
    }, options),
  );
  return {};
}
