import { NotFoundError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { audit, beginEntry } from '../../communities/audit/audit.ts';
import {
  requireIn,
  type AccessContext,
  type ChannelAccess,
} from '../../communities/structure/structure.ts';
import { requireMember } from '../../talk/places/places.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { lockCommentedPost, type PostsContext, type TurnOfPost } from '../posts/posts.ts';
import { KEPT } from '../../../ports/database/database.ts';
import { announceToWatchers } from './announce-comment.ts';
import { announceChanged } from './change-comment.ts';
import { accessToComment, holdAccess, whileCurrent } from './comment-access.ts';
import { removeComment, removingAnswers, settleActivity, type Removal } from './remove-comment.ts';

/**
 * Deletes a comment: one's own, or any with the permission MANAGE_CONTENT, which is noted in the audit log. Throws
 * NotFoundError and ForbiddenError.
 */
export async function deleteComment(
  ctx: AccessContext & PostsContext,
  actor: Account,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  await requireAdmission(ctx, actor, 'removing');
  const { comment, ...seen } = await accessToComment(ctx, actor, id);
  if (comment.deletedAtMs > 0) throw new NotFoundError();
  const isOwn = comment.userId === actor.user_id;
  const requires = (now: ChannelAccess) => {
    if (isOwn) return;
    requireMember(now);
    requireIn(now, 'MANAGE_CONTENT', ctx.clock.unixMs());
  };
  requires(seen);
  const entry = await beginEntry(ctx, actor, comment.communityId);
  return await whileCurrent(seen, async (access) => {
    const { postId, communityId } = comment;
    const acting = { actor, access, requires };
    const turn: TurnOfPost = isOwn
      ? { postId }
      : {
          postId,
          ...KEPT,
          audited: communityId,
          holdPeople: (tx) => holdAccess(tx, ctx, acting),
        };
    const removal = await removingAnswers(ctx, turn, async (tx, ledgerId) => {
      const post = await lockCommentedPost(tx, comment.postId);
      const nowMs = ctx.clock.unixMs();
      const removed = post && (await removeComment(tx, post, { id, nowMs, ledgerId }));
      if (removed === undefined) throw new NotFoundError();
      await settleActivity(tx, removed.post, [comment]);
      if (!isOwn) {
        const target = { kind: 'comment', id } as const;
        await audit(tx, entry, { action: 'comment_delete', target, channel: access.channel });
      }
      return removed;
    });
    announceRemoval(ctx, access, removal);
    return {};
  });
}

/** Sends the watchers of a post what became of a comment. */
export function announceRemoval(
  ctx: Pick<Context, 'clock' | 'signals'>,
  access: Pick<ChannelAccess, 'channel'>,
  removal: Removal,
): void {
  if ('emptied' in removal) {
    const named = { users: new Map(), posts: new Map() };
    announceChanged(ctx, access, { comment: removal.emptied, named });
    return;
  }
  const { removed: id, also, parent, post } = removal;
  const d = {
    post_id: post.id,
    id,
    ...(also.length > 0 && { also: [...also] }),
    ...(parent !== undefined && { parent }),
    comment_count: post.commentCount,
  };
  const { channel } = access;
  announceToWatchers(ctx, { postId: post.id, channel }, { op: 'COMMENT_DELETE', d });
}
