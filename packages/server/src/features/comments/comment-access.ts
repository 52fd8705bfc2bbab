import { ForbiddenError, NotFoundError, UnauthorizedError, type Id } from '@hearth/protocol';
import type { Actor, User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { accessToChannel, requireIn, type ChannelAccess } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { holdKnownRules } from '../communities/hold-rules.ts';
import { isUnchanged } from '../members/read-member.ts';
import { may, type Requirement } from '../messages/message-access.ts';
import { Outdated } from '../messages/outdated.ts';
import { accessNow } from '../messages/turn.ts';
import { findCommentedPost, type CommentedPost } from '../posts/commented-post.ts';
import { holdActiveUser } from '../users/hold-active-user.ts';
import { selectComment } from './store.ts';
import type { StoredComment } from './stored-comment.ts';

/** A post that somebody may see, and what they may do there. */
export interface CommentAccess extends ChannelAccess {
  readonly post: CommentedPost;
}

/** How often something is tried: each time for the channel as it is by then. */
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

/** What somebody may do with the comments of a post. Throws NotFoundError if they may not know that it exists. */
export async function accessToComments(
  ctx: CommunityContext,
  actor: Actor,
  postId: Id,
): Promise<CommentAccess> {
  const post = await findCommentedPost(ctx.database.reader, postId);
  // No channel has the id of a post, so the same is asked if there is none.
  const access = await accessToChannel(ctx, actor, post?.channelId ?? postId);
  if (post === undefined) throw new NotFoundError();
  return { ...access, post };
}

/** A comment, and what somebody may do with it. Throws NotFoundError if they may not know that it exists. */
export async function accessToComment(
  ctx: CommunityContext,
  actor: Actor,
  id: Id,
): Promise<CommentAccess & { readonly comment: StoredComment }> {
  const comment = await selectComment(ctx.database.reader, id);
  const access = await accessToComments(ctx, actor, comment?.postId ?? id);
  if (comment === undefined) throw new NotFoundError();
  return { ...access, comment };
}

/** Requires what it takes to comment: a membership, or a community that everyone may join, and COMMENT. */
export function requireCommenting({ clock }: Pick<CommunityContext, 'clock'>): Requirement {
  return (access) => {
    if (access.community.stored.deletedAtMs > 0) throw new NotFoundError();
    if (access.member === undefined && !may(access, 'COMMENT')) {
      throw new ForbiddenError({ code: 'not_member' });
    }
    requireIn(access, 'COMMENT', clock.unixMs());
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

/** Somebody who does something in a channel. */
export interface Acting {
  readonly actor: User;
  readonly access: ChannelAccess;
  readonly requires: Requirement;
}

/**
 * Keeps what somebody may do as it is until the transaction ends. Throws Outdated if it is not what was read before,
 * UnauthorizedError after the end of the account, and what `requires` throws.
 */
export async function holdAccess(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  acting: Acting,
): Promise<void> {
  const { community, channel, member } = acting.access;
  const isSame = await holdKnownRules(tx, community.stored);
  if (member !== undefined) {
    const isHeld = await isUnchanged(tx, member);
    if (isSame && isHeld) return;
  } else if ((await holdActiveUser(tx, acting.actor.user_id)) === undefined) {
    // Who is no member has no row that a ban or the end of the account would change.
    throw new UnauthorizedError('token_ended');
  }
  // Another role or channel changes nothing of what was read.
  const access = await accessNow(tx, ctx, acting);
  const isStill =
    access.channel.version === channel.version && access.member?.version === member?.version;
  if (!isStill) throw new Outdated(access);
}
