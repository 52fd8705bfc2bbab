import { MOST_COMMENT_DEPTH } from '@hearth/protocol/schemas';
import {
  NotFoundError,
  ValidationError,
  type Comment,
  type Id,
  type NewComment,
  type UserSummary,
} from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { sightOf } from '../audiences/sight.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { IdTooLow } from '../messages/turn.ts';
import { requireAdmission } from '../moderation/require-admission.ts';
import { claimNonce } from '../nonces/claim-nonce.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { countComment, lockCommentedPost, type CommentedPost } from '../posts/commented-post.ts';
import { resolvePostMentions } from '../posts/post-mentions.ts';
import { holdIndexBelow } from '../search/hold-index.ts';
import { announceToWatchers } from './announce-comment.ts';
import {
  accessToComments,
  holdAccess,
  requireCommenting,
  requireOpen,
  whileCurrent,
  type Acting,
  type CommentAccess,
} from './comment-access.ts';
import { namedInComments, type NamedInComments } from './complete-comments.ts';
import { describeComment } from './describe-comment.ts';
import { findComment } from './find-comment.ts';
import { addReplies, insertComments, lockComment, selectComment } from './store.ts';
import { pathBelow, type CommentMentions, type StoredComment } from './stored-comment.ts';

/** How often a comment is tried: each time with an id beyond the newest in the index of its channel. */
const MOST_TRIES = 5;

/** A comment before it has a place below its post. */
interface Draft {
  readonly id: Id;
  readonly author: UserSummary;
  readonly content: string;
  readonly parentId: Id | '';
  readonly nonce: string;
  readonly mentions: CommentMentions;
  /** Who wrote what it replies to, if they see the channel. */
  readonly repliedTo: Id | undefined;
  readonly named: NamedInComments;
  readonly createdAtMs: number;
}

/** What was written, or the id of what was written before with the same nonce. */
interface NewlyWritten {
  readonly comment: StoredComment;
  readonly post: CommentedPost;
  /** How many replies the comment has that it replies to; undefined if it replies to the post. */
  readonly parentReplyCount: number | undefined;
}

type Written = NewlyWritten | { readonly earlier: Id };

/**
 * Writes a comment on a post, or a reply to a comment on it. The same nonce of the same person writes once in ten minutes; then
 * this resolves with the comment of the first time. Throws NotFoundError if the caller may not know that the post exists,
 * ForbiddenError, and ValidationError for `parent_id`.
 */
export async function createComment(
  ctx: CommunityContext,
  actor: User,
  { post_id: postId, ...input }: NewComment & { readonly post_id: Id },
): Promise<Comment> {
  await requireAdmission(ctx, actor, 'changing');
  const requires = requireCommenting(ctx);
  const known = await accessToComments(ctx, actor, postId);
  requires(known);
  requireOpen(known, known.post);
  let id = await ctx.ids.next();
  for (let count = 1; ; count += 1) {
    try {
      return await whileCurrent(known, (access) =>
        writeNow(ctx, { actor, access, requires }, { id, actor, input }),
      );
    } catch (error) {
      if (count === MOST_TRIES || !(error instanceof IdTooLow)) throw error;
      id = await ctx.ids.after(error.newest);
    }
  }
}

async function writeNow(
  ctx: CommunityContext,
  acting: Acting & { readonly access: CommentAccess },
  writer: Writer,
): Promise<Comment> {
  const { actor, access } = acting;
  const draft = await draftOf(ctx, access, writer);
  const { post } = access;
  const written = await ctx.database.transaction((tx) => write(tx, ctx, { acting, post, draft }));
  if ('earlier' in written) return await findWritten(ctx, actor, written.earlier);
  // At once, so that nothing that is done with the comment is sent before it.
  const comment = announce(ctx, access, { written, draft });
  ctx.posted.note(post.channelId);
  const noting = ctx.activity.note(post.communityId, draft.createdAtMs);
  if (noting !== undefined) await noting;
  return comment;
}

async function findWritten(ctx: CommunityContext, actor: User, id: Id): Promise<Comment> {
  const [comment] = await findComment(ctx, actor, { id, context: 0 });
  if (comment === undefined || comment.deleted === true) throw new NotFoundError();
  return comment;
}

interface Writer {
  readonly id: Id;
  readonly actor: User;
  readonly input: NewComment;
}

async function draftOf(
  ctx: CommunityContext,
  access: CommentAccess,
  { id, actor, input: { content, nonce = '', parent_id: given } }: Writer,
): Promise<Draft> {
  const parentId: Id | '' = given ?? '';
  const author = await ctx.users.get(actor.user_id);
  const { users, posts } = await resolvePostMentions(ctx, access, content);
  const target = parentId === '' ? access.post : await selectComment(ctx.database.reader, parentId);
  const repliedTo = await notifiable(ctx, access.post, target?.userId);
  const mentions = { ...(users && { users }), ...(posts && { posts }) };
  const { channelId, communityId } = access.post;
  const place = { id, userId: author.id, channelId, communityId };
  return {
    id,
    author,
    content,
    parentId,
    nonce,
    mentions,
    repliedTo,
    named: await namedInComments(ctx, [{ ...place, mentions }]),
    createdAtMs: ctx.clock.unixMs(),
  };
}

/** Somebody, if they have an account and see the post. */
async function notifiable(
  ctx: CommunityContext,
  post: CommentedPost,
  userId: Id | '' | undefined,
): Promise<Id | undefined> {
  if (userId === undefined || userId === '') return undefined;
  const user = (await ctx.users.all([userId])).get(userId);
  if (user === undefined || user.deleted === true) return undefined;
  const sight = await sightOf(ctx, userId, [post]);
  return sight(post) === undefined ? undefined : userId;
}

interface Writing {
  readonly acting: Acting;
  readonly post: CommentedPost;
  readonly draft: Draft;
}

async function write(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  { acting, post: { id: postId }, draft }: Writing,
): Promise<Written> {
  const { id, author, nonce, createdAtMs } = draft;
  if (nonce !== '') {
    const used = { place: postId, userId: author.id, nonce, usedAtMs: createdAtMs };
    const first = await claimNonce(tx, { ...used, resultId: id });
    if (first !== id) return { earlier: first };
  }
  await holdIndexBelow(tx.sql, acting.access.channel.id, id);
  await holdAccess(tx, ctx, acting);
  const locked = await lockCommentedPost(tx.sql, postId);
  if (locked === undefined) throw new NotFoundError();
  requireOpen(acting.access, locked);
  const parent = await parentOf(tx, locked, draft.parentId);
  const post = await countComment(tx.sql, locked, { userId: author.id, createdAtMs });
  const comment = commentBelow(parent, post, draft);
  await insertComments(tx.sql, [comment]);
  if (parent !== undefined) await addReplies(tx.sql, parent.id, 1);
  const { communityId, channelId } = post;
  const mentioned = draft.mentions.users ?? [];
  const about = { id, postId, communityId, channelId, author, createdAtMs };
  await notifyPeople(tx, { ...about, mentioned, repliedTo: draft.repliedTo });
  const parentReplyCount = parent && parent.replyCount + 1;
  return { comment, post, parentReplyCount };
}

/** The comment that is replied to, which is locked. Throws ValidationError if nothing can reply to it. */
async function parentOf(
  { sql }: EmittingTransaction,
  post: CommentedPost,
  parentId: Id | '',
): Promise<StoredComment | undefined> {
  if (parentId === '') return undefined;
  const parent = await lockComment(sql, parentId);
  if (parent === undefined || parent.postId !== post.id || parent.deletedAtMs > 0) {
    throw new ValidationError('parent_id', 'must be the id of a comment on the post');
  }
  if (parent.depth >= MOST_COMMENT_DEPTH) {
    const most = MOST_COMMENT_DEPTH;
    throw new ValidationError(
      'parent_id',
      `must be a comment that is less than ${most} levels deep`,
    );
  }
  return parent;
}

function commentBelow(
  parent: StoredComment | undefined,
  post: CommentedPost,
  { id, author, content, mentions, createdAtMs }: Draft,
): StoredComment {
  return {
    id,
    postId: post.id,
    channelId: post.channelId,
    communityId: post.communityId,
    userId: author.id,
    number: post.commentNumber,
    path: pathBelow(parent?.path ?? '', post.commentNumber),
    parentId: parent?.id ?? '',
    depth: parent === undefined ? 0 : parent.depth + 1,
    content,
    mentions,
    createdAtMs,
    editedAtMs: 0,
    deletedAtMs: 0,
    upvotes: 0,
    downvotes: 0,
    score: 0,
    controversial: 0,
    replyCount: 0,
    version: 1,
  };
}

/** Sends the watchers of the post what was written. */
function announce(
  ctx: CommunityContext,
  { channel }: CommentAccess,
  { written, draft }: { readonly written: NewlyWritten; readonly draft: Draft },
): Comment {
  const { comment, post, parentReplyCount } = written;
  const { nonce, named } = draft;
  const nowMs = ctx.clock.unixMs();
  const described = describeComment(comment, channel.postSettings, { ...named, nowMs });
  const d = {
    ...described,
    comment_count: post.commentCount,
    ...(parentReplyCount !== undefined && { parent_reply_count: parentReplyCount }),
    ...(nonce !== '' && { nonce }),
  };
  announceToWatchers(ctx, { postId: post.id, channel }, { op: 'COMMENT_CREATE', d });
  return described;
}
