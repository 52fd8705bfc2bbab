import {
  NotFoundError,
  ServerError,
  type Comment,
  type Id,
  type NewComment,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Writing } from '../../../ports/outbox/outbox.ts';
import { sightIn } from '../../communities/audiences/audiences.ts';
import type {
  AccessContext,
  KeepsCommunities,
  KeepsMembers,
} from '../../communities/structure/structure.ts';
import type { KeepsActivity } from '../../communities/communities/communities.ts';
import { IdTooLow, may } from '../../talk/places/places.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import type { KeepsUnsentNotifications } from '../../talk/notifications/notifications.ts';
import type { CommentedPost, KeepsCommentedPosts, PostsContext } from '../posts/posts.ts';
import { resolveMentions } from '../../talk/mentions/mentions.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import type { HasIndexes, KeepsPosted } from '../../talk/index-queue/index-queue.ts';
import {
  accessToComments,
  requireCommenting,
  requireOpen,
  type CommentAccess,
} from './comment-access.ts';
import type { Draft } from './comment-write.ts';
import { namedInComments } from './complete-comments.ts';
import { findComment } from './find-comment.ts';
import { selectComment } from './store.ts';
import { writeComments } from './write-comments.ts';

/** How often a comment is tried: each time with an id beyond the newest, or for the channel as it is by then. */
const MOST_TRIES = 5;

/** About how many bytes a comment takes while it waits, besides its text. */
const DRAFT_BYTES = 1_000;

/**
 * Writes a comment on a post, or a reply to a comment on it. The same nonce of the same person writes once in ten minutes; then
 * this resolves with the comment of the first time. Throws NotFoundError if the caller may not know that the post exists,
 * ForbiddenError, and ValidationError for `parent_id`.
 */
export async function createComment(
  ctx: AccessContext &
    HasIndexes &
    KeepsActivity &
    KeepsCommentedPosts &
    KeepsPosted &
    KeepsUnsentNotifications &
    PostsContext,
  actor: Account,
  { post_id: postId, ...input }: NewComment & { readonly post_id: Id },
): Promise<Comment> {
  await requireAdmission(ctx, actor, 'changing');
  const requires = requireCommenting(ctx);
  let access = await accessToComments(ctx, actor, postId);
  requires(access);
  requireOpen(access, access.post);
  let id = await ctx.ids.next();
  let draft = await draftOf(ctx, access, { id, actor, input });
  for (let count = 1; ; count += 1) {
    const acting = { actor, access, requires };
    try {
      const write = { ctx, acting, postId, draft, id };
      const written = await ctx.database.write(writeComments, write, writingOf(access, draft));
      if ('comment' in written) return await noted(ctx, access.post, written.comment);
      if ('earlier' in written) return await findWritten(ctx, actor, written.earlier);
      if (count === MOST_TRIES) throw new ServerError('Writing a comment');
      access = { ...written.outdated, post: access.post };
      draft = await draftOf(ctx, access, { id, actor, input });
    } catch (error) {
      if (count === MOST_TRIES || !(error instanceof IdTooLow)) throw error;
      id = await ctx.ids.after(error.newest);
    }
  }
}

/** Its post, and the comment that it replies to, which votes for that comment lock, too. */
function writingOf(access: CommentAccess, { author, content, nonce, parentId }: Draft): Writing {
  const bytes = 2 * (content.length + nonce.length) + DRAFT_BYTES;
  const isUrgent = access.member !== undefined && may(access, 'MANAGE_CONTENT');
  const parents = parentId === '' ? [] : [parentId];
  return { subjects: [access.post.id, ...parents], caller: author.id, bytes, isUrgent };
}

async function noted(
  ctx: KeepsActivity & KeepsPosted,
  { channelId, communityId }: CommentedPost,
  comment: Comment,
): Promise<Comment> {
  ctx.posted.note(channelId);
  const noting = ctx.activity.note(communityId, comment.created_at);
  if (noting !== undefined) await noting;
  return comment;
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

interface Writer {
  /** An id that was drawn for the comment. */
  readonly id: Id;
  readonly actor: Account;
  readonly input: NewComment;
}

async function draftOf(
  ctx: PostsContext & KeepsMembers,
  access: CommentAccess,
  { id, actor, input: { content, nonce = '', parent_id: given } }: Writer,
): Promise<Draft> {
  const parentId: Id | '' = given ?? '';
  const author = await ctx.users.get(actor.user_id);
  const { users, posts } = await resolveMentions(ctx, access, content);
  const target = parentId === '' ? access.post : await selectComment(ctx.database.reader, parentId);
  const repliedTo = await notifiable(ctx, access.post, target?.userId);
  const mentions = { ...(users && { users }), ...(posts && { posts }) };
  const { channelId, communityId } = access.post;
  const place = { id, userId: author.id, channelId, communityId };
  const named = await namedInComments(ctx, [{ ...place, mentions }]);
  const names = { users: named.users, posts: named.posts.get(id) };
  return { author, content, parentId, nonce, mentions, repliedTo, ...names };
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
  const sight = await sightIn(ctx, userId, post);
  return sight(post) === undefined ? undefined : userId;
}
