import type { Comment, Id, UserSummary } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { DroppedOut, type Outcome } from '../../../ports/outbox/outbox.ts';
import type { Acting, ChannelAccess } from '../../communities/structure/structure.ts';
import { onceKey, type UsedNonce } from '../../platform/nonces/nonces.ts';
import type { HasIndexes } from '../../talk/index-queue/index-queue.ts';
import type { KeepsUnsentNotifications } from '../../talk/notifications/notifications.ts';
import type { CommentedPost } from '../posts/posts.ts';
import type { Named } from './describe-comment.ts';
import type { CommentMentions, StoredComment } from './stored-comment.ts';

/** A comment before it has a place below its post. */
export interface Draft {
  readonly author: UserSummary;
  readonly content: string;
  readonly parentId: Id | '';
  readonly nonce: string;
  readonly mentions: CommentMentions;
  /** Who wrote what it replies to, if they see the channel. */
  readonly repliedTo: Id | undefined;
  /** The people whom it names, and the posts that it mentions. */
  readonly users: Named['users'];
  readonly posts: Comment['mention_posts'];
}

/** A comment that is to be written. */
export interface CommentWrite {
  readonly ctx: Context & HasIndexes & KeepsUnsentNotifications;
  readonly acting: Acting;
  readonly postId: Id;
  readonly draft: Draft;
  /** An id that was drawn for it. */
  readonly id: Id;
}

/**
 * What was written, or the id of what was written before with the same nonce; `outdated` is what the author may do now, if that or
 * the channel has changed since it was read.
 */
export type Written =
  | { readonly comment: Comment }
  | { readonly earlier: Id }
  | { readonly outdated: ChannelAccess };

/** A comment among those that are written together. */
export interface Entry extends CommentWrite {
  /** The place of its call. */
  readonly at: number;
}

/** A comment in the order of its post. */
export interface Placed extends Entry {
  readonly comment: StoredComment;
  /** The post with this comment. */
  readonly post: CommentedPost;
  /** How many replies the comment has by then that it replies to; undefined if it replies to the post. */
  readonly parentReplyCount: number | undefined;
}

/** A key that the same comment has again. */
export function keyOf(
  { postId: place, draft: { author, nonce } }: CommentWrite,
  at: number,
): string {
  return onceKey({ place, userId: author.id, nonce }, at);
}

/** The nonce of a comment, as what it creates remembers it. */
export function nonceOf({ id, postId, draft }: Entry, usedAtMs: number): UsedNonce {
  const { author, nonce } = draft;
  return { place: postId, userId: author.id, nonce, resultId: id, usedAtMs };
}

/** Throws DroppedOut if there is an outcome for any of the comments. */
export function dropOut(
  entries: readonly Entry[],
  outcomeOf: (entry: Entry, place: number) => Outcome | undefined,
): void {
  const outcomes = new Map<number, Outcome>();
  for (const [place, entry] of entries.entries()) {
    const outcome = outcomeOf(entry, place);
    if (outcome !== undefined) outcomes.set(entry.at, outcome);
  }
  if (outcomes.size > 0) throw new DroppedOut(outcomes);
}
