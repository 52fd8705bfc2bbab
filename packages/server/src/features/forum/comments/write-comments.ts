import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { holdAccesses } from '../../communities/structure/structure.ts';
import { claimNonces, onceEach } from '../../platform/nonces/nonces.ts';
import { notifyPeople, type Concerning } from '../../talk/notifications/notifications.ts';
import { aboveIndexes } from '../../talk/index-queue/index-queue.ts';
import { announceToWatchers } from './announce-comment.ts';
import { isStill } from './comment-access.ts';
import { aboveNewest } from './comment-ids.ts';
import {
  dropOut,
  keyOf,
  nonceOf,
  type CommentWrite,
  type Entry,
  type Placed,
  type Written,
} from './comment-write.ts';
import { describeComment } from './describe-comment.ts';
import { lockPlaces, placedIn, storePlaced } from './place-comments.ts';

/**
 * Writes comments on any posts in one transaction, those on a post in the order of the list. The same nonce twice is one comment.
 * What drops out is outdated, or is refused with NotFoundError, UnauthorizedError, ForbiddenError, ValidationError or IdTooLow.
 */
export async function writeComments(
  tx: EmittingTransaction,
  writes: readonly CommentWrite[],
): Promise<readonly Written[]> {
  const [first] = writes;
  if (first === undefined) return [];
  const { ctx } = first;
  const nowMs = ctx.clock.unixMs();
  const channelIds = new Set(writes.map(({ acting }) => acting.access.channel.id));
  const once = await aboveIndexes(tx, ctx, { entries: onceEach(writes, keyOf), channelIds });
  const { entries, earlier } = await claim(tx, once, nowMs);
  await requireAccess(tx, entries, ctx);
  const locked = await lockPlaces(tx, entries);
  const posts = locked.posts.values();
  const placed = placedIn(await aboveNewest(tx, entries, { ctx, posts, nowMs }), locked, nowMs);
  await storePlaced(tx, placed);
  await notifyPeople(tx, ctx, placed.flatMap(concerning));
  const written = announce(tx, ctx, placed);
  return writes.map((write, at) => {
    const own = written.get(at);
    if (own !== undefined) return own;
    const same = keyOf(write, at);
    const id =
      earlier.get(same) ?? placed.find((each) => keyOf(each, each.at) === same)?.comment.id;
    if (id === undefined) throw new TypeError('a comment was neither written nor refused');
    return { earlier: id };
  });
}

interface Claimed {
  readonly entries: readonly Entry[];
  /** What was written before, by the keys of the comments. */
  readonly earlier: ReadonlyMap<string, Id>;
}

async function claim(
  tx: EmittingTransaction,
  entries: readonly Entry[],
  nowMs: number,
): Promise<Claimed> {
  const withNonce = entries.filter(({ draft }) => draft.nonce !== '');
  if (withNonce.length === 0) return { entries, earlier: new Map() };
  const used = withNonce.map((entry) => nonceOf(entry, nowMs));
  const earlier = new Map<string, Id>();
  for (const [place, id] of await claimNonces(tx, used)) {
    const entry = withNonce[place];
    if (entry !== undefined) earlier.set(keyOf(entry, entry.at), id);
  }
  return { entries: entries.filter((entry) => !earlier.has(keyOf(entry, entry.at))), earlier };
}

async function requireAccess(
  tx: EmittingTransaction,
  entries: readonly Entry[],
  ctx: Pick<Context, 'clock'>,
): Promise<void> {
  const all = entries.map(({ acting }) => acting);
  const { held } = await holdAccesses(tx, ctx, { all, locks: 'strangers' });
  dropOut(entries, ({ acting }, place) => {
    const own = held[place];
    if (own === undefined || 'error' in own) return own;
    const outdated: Written = { outdated: own.access };
    return isStill(acting.access, own.access) ? undefined : { result: outdated };
  });
}

function concerning({ comment, draft }: Placed): readonly Concerning[] {
  const { author, repliedTo, mentions } = draft;
  if (mentions.users === undefined && repliedTo === undefined) return [];
  return [{ ...comment, author, mentioned: mentions.users ?? [], repliedTo }];
}

/** Sends the watchers of the posts what was written, in its order, as soon as it is committed. Returns the comments by their calls. */
function announce(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock' | 'signals'>,
  placed: readonly Placed[],
): ReadonlyMap<number, Written> {
  const nowMs = ctx.clock.unixMs();
  const described = placed.map((each) => {
    const { comment, draft, acting } = each;
    const posts = new Map(draft.posts && [[comment.id, draft.posts]]);
    const named = { users: draft.users, posts, nowMs };
    const settings = acting.access.channel.postSettings;
    return { ...each, described: describeComment(comment, settings, named) };
  });
  tx.afterCommit(() => {
    for (const each of described) {
      const { draft, post, parentReplyCount, acting } = each;
      const d = {
        ...each.described,
        comment_count: post.commentCount,
        ...(parentReplyCount !== undefined && { parent_reply_count: parentReplyCount }),
        ...(draft.nonce !== '' && { nonce: draft.nonce }),
      };
      const about = {
        postId: post.id,
        channel: acting.access.channel,
        number: each.comment.number,
      };
      announceToWatchers(ctx, about, { op: 'COMMENT_CREATE', d });
    }
  });
  return new Map(described.map((each) => [each.at, { comment: each.described }]));
}
