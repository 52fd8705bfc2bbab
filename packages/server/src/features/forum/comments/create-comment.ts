import { NotFoundError, type Comment, type Id, type NewComment } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { readSeenIn } from '../../communities/audiences/audiences.ts';
import type {
  AccessContext,
  KeepsCommunities,
  KeepsMembers,
} from '../../communities/structure/structure.ts';
import type { CommentedPost, KeepsCommentedPosts, PostsContext } from '../posts/posts.ts';
import { resolveMentions } from '../../talk/mentions/mentions.ts';
import { channelPlace, type ChannelPlace, type Turning } from '../../talk/places/places.ts';
import { say, type WritingContext } from '../../talk/writing/writing.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { accessToComments, requireCommenting, requireOpen } from './comment-access.ts';
import type { CommentDraft } from './comment-draft.ts';
import { namedInComments } from './complete-comments.ts';
import { findComment } from './find-comment.ts';
import { selectComment } from './store.ts';
import { writeComments } from './write-comments.ts';

/**
 * Writes a comment on a post, or a reply to a comment on it. The same nonce of the same person writes once in ten minutes; then
 * this resolves with the comment of the first time. Throws NotFoundError if the caller may not know that the post exists,
 * ForbiddenError, and ValidationError for `parent_id`.
 */
export function createComment(
  ctx: AccessContext & KeepsCommentedPosts & PostsContext & WritingContext,
  actor: Account,
  { post_id: postId, ...input }: NewComment & { readonly post_id: Id },
): Promise<Comment> {
  const requires = requireCommenting(ctx);
  return say(ctx, actor, {
    operation: 'Writing a comment',
    async turning(): Promise<Commenting> {
      const access = await accessToComments(ctx, actor, postId);
      requires(access);
      requireOpen(access, access.post);
      return { actor, access: channelPlace(access), requires, post: access.post };
    },
    draft: (turning) => draftOf(ctx, turning, input),
    // A vote for the comment that it replies to locks that, too.
    subjects: ({ parentId }) => [postId, ...(parentId === '' ? [] : [parentId])],
    write: writeComments,
    find: (id) => findWritten(ctx, actor, id),
  });
}

async function findWritten(
  ctx: AccessContext & PostsContext,
  actor: Account,
  id: Id,
): Promise<Comment> {
  const [comment] = await findComment(ctx, actor, { id, context: 0 });
  if (comment === undefined || comment.deleted === true) throw new NotFoundError();
  return comment;
}

interface Commenting extends Turning<ChannelPlace> {
  readonly post: CommentedPost;
}

async function draftOf(
  ctx: PostsContext & KeepsMembers,
  { actor, access, post }: Commenting,
  { content, nonce = '', parent_id: given }: NewComment,
): Promise<CommentDraft> {
  const parentId: Id | '' = given ?? '';
  const author = await ctx.users.get(actor.user_id);
  const { users, posts } = await resolveMentions(ctx, access, content);
  const target = parentId === '' ? post : await selectComment(ctx.database.reader, parentId);
  const repliedTo = await notifiable(ctx, post, target?.userId);
  const mentions = { ...(users && { users }), ...(posts && { posts }) };
  // Its id is not known yet; any will do for finding what it names.
  const { id: postId, channelId, communityId } = post;
  const text = { id: postId, userId: author.id, channelId, communityId, mentions };
  const named = await namedInComments(ctx, [text]);
  const names = { users: named.users, posts: named.posts.get(postId) };
  return { author, content, postId, parentId, nonce, mentions, files: [], repliedTo, ...names };
}

/** Somebody, if they have an account and see the post. */
async function notifiable(
  ctx: KeepsCommunities & KeepsMembers & KeepsUsers,
  post: CommentedPost,
  userId: Id | '' | undefined,
): Promise<Id | undefined> {
  if (userId === undefined || userId === '') return undefined;
  const user = (await ctx.users.all([userId])).get(userId);
  if (user === undefined || user.deleted === true) return undefined;
  const seenAt = await readSeenIn(ctx, userId, post);
  return seenAt(post) === undefined ? undefined : userId;
}
