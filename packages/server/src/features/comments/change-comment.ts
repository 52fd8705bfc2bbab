import {
  ForbiddenError,
  NotFoundError,
  type Comment,
  type CommentChange,
  type Id,
} from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { requireAdmission } from '../moderation/require-admission.ts';
import { lockCommentedPost } from '../posts/commented-post.ts';
import { mentionedPosts } from '../posts/post-links.ts';
import { resolvePostMentions } from '../posts/post-mentions.ts';
import { announceToWatchers } from './announce-comment.ts';
import {
  accessToComment,
  holdAccess,
  requireCommenting,
  requireOpen,
  whileCurrent,
  type Acting,
  type CommentAccess,
} from './comment-access.ts';
import { completeComments } from './complete-comments.ts';
import { describeComment, peopleIn } from './describe-comment.ts';
import { lockComment, updateContent } from './store.ts';
import type { StoredComment } from './stored-comment.ts';

/**
 * Changes the text of a comment, which only its author may, and only with the right to comment. Throws NotFoundError and
 * ForbiddenError.
 */
export async function changeComment(
  ctx: CommunityContext,
  actor: User,
  { id, content }: CommentChange & { readonly id: Id },
): Promise<Comment> {
  await requireAdmission(ctx, actor, 'changing');
  const { comment: known, ...seen } = await accessToComment(ctx, actor, id);
  requireAuthor(actor, known);
  const requires = requireCommenting(ctx);
  requires(seen);
  requireOpen(seen, seen.post);
  return await whileCurrent(seen, (access) =>
    change(ctx, { actor, access, requires }, { id, content }),
  );
}

async function change(
  ctx: CommunityContext,
  acting: Acting & { readonly access: CommentAccess },
  { id, content }: CommentChange & { readonly id: Id },
): Promise<Comment> {
  const { actor, access } = acting;
  const { users, posts } = await resolvePostMentions(ctx, access, content);
  const mentions = { ...(users && { users }), ...(posts && { posts }) };
  const { comment, hasChanged } = await ctx.database.transaction(async (tx) => {
    await holdAccess(tx, ctx, acting);
    const post = await lockCommentedPost(tx.sql, access.post.id);
    const former = await lockComment(tx.sql, id);
    if (post === undefined || former === undefined) throw new NotFoundError();
    requireAuthor(actor, former);
    requireOpen(access, post);
    if (former.content === content) return { comment: former, hasChanged: false };
    const version = former.version + 1;
    const edit = { content, mentions, editedAtMs: ctx.clock.unixMs(), version };
    await updateContent(tx.sql, former, edit);
    return { comment: { ...former, ...edit }, hasChanged: true };
  });
  const settings = access.channel.postSettings;
  const [complete] = await completeComments(ctx, actor, [{ comment, settings }]);
  if (complete === undefined) throw new NotFoundError();
  if (hasChanged) await announceChanged(ctx, access, comment);
  return complete;
}

/** Sends the watchers of a post a comment as it is now. */
export async function announceChanged(
  ctx: CommunityContext,
  { channel }: Pick<Awaited<ReturnType<typeof accessToComment>>, 'channel'>,
  comment: StoredComment,
): Promise<void> {
  const users = await ctx.users.all(peopleIn([comment]));
  const posts = await mentionedPosts(ctx, [comment]);
  const named = { users, posts, nowMs: ctx.clock.unixMs() };
  const d = describeComment(comment, channel.postSettings, named);
  announceToWatchers(ctx, { postId: comment.postId, channel }, { op: 'COMMENT_UPDATE', d });
}

/** Throws NotFoundError for a deleted comment, and ForbiddenError for one of somebody else. */
function requireAuthor({ user_id: userId }: User, comment: StoredComment): void {
  if (comment.deletedAtMs > 0) throw new NotFoundError();
  if (comment.userId !== userId) throw new ForbiddenError({ code: 'not_author' });
}
