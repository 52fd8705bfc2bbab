import { ForbiddenError, NotFoundError, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  accessToPlace,
  holdAccesses,
  requireDiscussing,
  type AccessContext,
  type Acting,
  type ChannelAccess,
} from '../../communities/structure/structure.ts';
import { may, type Requirement } from '../../talk/places/places.ts';
import { findCommentedPost, type CommentedPost, type KeepsCommentedPosts } from '../posts/posts.ts';
import { selectComment } from './store.ts';
import type { StoredComment } from './stored-comment.ts';

/** A post that somebody may see, and what they may do there. */
export interface CommentAccess extends ChannelAccess {
  readonly post: CommentedPost;
}

/** A channel, or the membership of somebody, has changed since it was read, and with it perhaps who sees what. */
class Outdated extends Error {
  /** The access of somebody there now. */
  readonly access: ChannelAccess;

  constructor(access: ChannelAccess) {
    super('the channel or the member has changed');
    this.access = access;
  }
}

/** The number of times that something is tried: each time for the channel as it is by then. */
const MOST_TRIES = 5;

/**
 * Does something with what is known of a channel and a member; again with what is true now, if that has changed. `work` throws
 * Outdated then, as {@link holdAccess} does.
 */
export async function whileCurrent<Result>(
  known: CommentAccess,
  work: (access: CommentAccess) => Promise<Result>,
): Promise<Result> {
  let access = known;
  for (let count = 1; ; count += 1) {
    try {
      return await work(access);
    } catch (error) {
      if (count === MOST_TRIES || !(error instanceof Outdated)) throw error;
      access = { ...error.access, post: known.post };
    }
  }
}

/**
 * Returns what somebody may do with the comments of a post. Throws NotFoundError if they may not know that it exists.
 */
export async function accessToComments(
  ctx: AccessContext & KeepsCommentedPosts,
  actor: Actor,
  postId: Id,
): Promise<CommentAccess> {
  // First, so that nothing is read of a post that is hidden.
  const access = await accessToPlace(ctx, actor, { kind: 'post', id: postId });
  const post = await ctx.commentedPosts.find(postId);
  if (post === undefined) throw new NotFoundError();
  return { ...access, post };
}

/** A comment, and what somebody may do with it. Throws NotFoundError if they may not know that it exists. */
export async function accessToComment(
  ctx: AccessContext,
  actor: Actor,
  id: Id,
): Promise<CommentAccess & { readonly comment: StoredComment }> {
  const access = await accessToPlace(ctx, actor, { kind: 'comment', id });
  const { reader } = ctx.database;
  const comment = await selectComment(reader, id);
  const post = comment && (await findCommentedPost(reader, comment.postId));
  if (comment === undefined || post === undefined) throw new NotFoundError();
  return { ...access, post, comment };
}

/** Requires what it takes to comment: a membership, or a community that everyone may join, and COMMENT. */
export function requireCommenting({ clock }: Pick<Context, 'clock'>): Requirement<ChannelAccess> {
  return (access) => {
    requireDiscussing(access, 'COMMENT', clock.unixMs());
  };
}

/** Throws ForbiddenError in a locked post, unless somebody manages its channel. */
export function requireOpen(
  access: ChannelAccess,
  { isLocked }: Pick<CommentedPost, 'isLocked'>,
): void {
  const isManaged = access.member !== undefined && may(access, 'MANAGE_CONTENT');
  if (isLocked && !isManaged) throw new ForbiddenError({ code: 'post_locked' });
}

/**
 * Keeps what somebody may do as it is until the transaction ends. Throws Outdated if it is not what was read before,
 * UnauthorizedError after the end of the account, and what `requires` throws.
 */
export async function holdAccess(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  acting: Acting,
): Promise<void> {
  const { held } = await holdAccesses(tx, ctx, { all: [acting], locks: 'strangers' });
  for (const own of held) {
    if ('error' in own) throw own.error;
    if (!isStill(acting.access, own.access)) throw new Outdated(own.access);
  }
}

/** Returns whether what was read in a channel before is still so. Another role or channel changes nothing of it. */
export function isStill(before: ChannelAccess, now: ChannelAccess): boolean {
  return (
    now.channel.version === before.channel.version && now.member?.version === before.member?.version
  );
}
