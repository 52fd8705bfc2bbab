import {
  ForbiddenError,
  NotFoundError,
  type Comment,
  type CommentChange,
  type Id,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { channelPlace } from '../../talk/places/places.ts';
import type { Context } from '../../../context.ts';
import type { AccessContext, Acting, KeepsMembers } from '../../communities/structure/structure.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { lockCommentedPost, type PostsContext } from '../posts/posts.ts';
import { resolveMentions } from '../../talk/mentions/mentions.ts';
import { announceToWatchers } from './announce-comment.ts';
import {
  accessToComment,
  holdAccess,
  requireCommenting,
  requireOpen,
  whileCurrent,
  type CommentAccess,
} from './comment-access.ts';
import { completeComments, namedInComments, type NamedInComments } from './complete-comments.ts';
import { describeComment } from './describe-comment.ts';
import { lockComment, updateContent } from './store.ts';
import type { StoredComment } from './stored-comment.ts';

/**
 * Changes the text of a comment, which only its author may, and only with the right to comment. Throws NotFoundError and
 * ForbiddenError.
 */
export async function changeComment(
  ctx: AccessContext & PostsContext,
  actor: Account,
  { id, content }: CommentChange & { readonly id: Id },
): Promise<Comment> {
  await requireAdmission(ctx, actor, 'changing');
  const { comment: known, ...seen } = await accessToComment(ctx, actor, id);
  requireAuthor(actor, known);
  const requires = requireCommenting(ctx);
  requires(seen);
  requireOpen(seen, seen.post);
  return await whileCurrent(seen, (access) =>
    change(ctx, { actor, access, requires }, { known, content }),
  );
}

async function change(
  ctx: KeepsMembers & PostsContext,
  acting: Acting & { readonly access: CommentAccess },
  { known, content }: CommentChange & { readonly known: StoredComment },
): Promise<Comment> {
  const { actor, access } = acting;
  const { id } = known;
  const { users, posts } = await resolveMentions(ctx, channelPlace(access), content);
  const mentions = { ...(users && { users }), ...(posts && { posts }) };
  const named = await namedInComments(ctx, [{ ...known, mentions }]);
  const { comment, hasChanged } = await ctx.database.transaction(async (tx) => {
    await holdAccess(tx, ctx, acting);
    const post = await lockCommentedPost(tx, access.post.id);
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
  if (hasChanged) announceChanged(ctx, access, { comment, named });
  const settings = access.channel.postSettings;
  const [complete] = await completeComments(ctx, actor, [{ comment, settings }]);
  if (complete === undefined) throw new NotFoundError();
  return complete;
}

/** Sends the watchers of a post a comment as it is now. What it names is read before, so that nothing else is sent in between. */
export function announceChanged(
  ctx: Pick<Context, 'clock' | 'signals'>,
  { channel }: Pick<CommentAccess, 'channel'>,
  { comment, named }: { readonly comment: StoredComment; readonly named: NamedInComments },
): void {
  const nowMs = ctx.clock.unixMs();
  const d = describeComment(comment, channel.postSettings, { ...named, nowMs });
  announceToWatchers(ctx, { postId: comment.postId, channel }, { op: 'COMMENT_UPDATE', d });
}

/** Throws NotFoundError for a deleted comment, and ForbiddenError for one of somebody else. */
function requireAuthor({ user_id: userId }: Account, comment: StoredComment): void {
  if (comment.deletedAtMs > 0) throw new NotFoundError();
  if (comment.userId !== userId) throw new ForbiddenError({ code: 'not_author' });
}
