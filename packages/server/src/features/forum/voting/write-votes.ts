import {
  ForbiddenError,
  NotFoundError,
  UnauthorizedError,
  type Id,
  type VoteInput,
} from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { dropOut, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  holdAccesses,
  type Acting,
  type ChannelAccess,
  type HeldAccess,
  type HeldAccesses,
  type KeepsCommunities,
} from '../../communities/structure/structure.ts';
import {
  describeTotals,
  storeVotes,
  type VoteOf,
  type Voted,
  type VotedPlace,
  type Votes,
} from '../votes/votes.ts';
import { addAllPoints } from '../points/points.ts';
import { requireOpen } from '../posts/posts.ts';
import type { KeepsScores } from './score-news.ts';
import { VOTED_KINDS, VOTED_STORES } from './voted-stores.ts';

export interface VoteWrite {
  readonly ctx: Context & KeepsCommunities & KeepsScores;
  readonly acting: Acting;
  readonly place: VotedPlace;
  readonly value: VoteInput['value'];
}

/** A post or comment that somebody has voted for, and its totals right after that. */
export interface WrittenVote {
  readonly access: ChannelAccess;
  readonly voted: Voted;
  readonly votes: Votes;
}

/** A vote that may be cast. */
interface Entry extends VoteOf {
  readonly ctx: Context & KeepsCommunities & KeepsScores;
  readonly access: ChannelAccess;
}

/**
 * Writes votes for any posts and comments in one transaction, as if they came one after another in the order of the list. What
 * drops out is refused with UnauthorizedError, NotFoundError or ForbiddenError.
 */
export async function writeVotes(
  tx: EmittingTransaction,
  writes: readonly VoteWrite[],
): Promise<readonly WrittenVote[]> {
  const [first] = writes;
  if (first === undefined) return [];
  const { ctx } = first;
  const all = writes.map(({ acting }) => acting);
  const accesses = await holdAccesses(tx, ctx, { all, locks: 'everyone' });
  const entries = entriesOf(writes, accesses, await lockAll(tx, writes));
  const stored = await storeVotes(tx, entries, ctx.clock.unixMs());
  const changed = stored.filter(({ isChanged }) => isChanged);
  const last = new Map(changed.map((each) => [each.voted.id, each]));
  for (const kind of VOTED_KINDS) {
    const counted = [...last.values()].filter(({ voted }) => voted.kind === kind);
    await VOTED_STORES[kind].update(tx, counted);
  }
  await addAllPoints(
    tx,
    changed.map(({ voted: { communityId, authorId: userId }, points }) => {
      return { communityId, userId, points };
    }),
  );
  tx.afterCommit(() => {
    for (const each of last.values()) announce(each);
  });
  return stored;
}

/** Locks what is voted for, the posts first. */
async function lockAll(
  tx: EmittingTransaction,
  writes: readonly VoteWrite[],
): Promise<ReadonlyMap<Id, Voted>> {
  const locked = new Map<Id, Voted>();
  for (const kind of VOTED_KINDS) {
    const ids = writes.flatMap(({ place }) => (place.kind === kind ? [place.id] : []));
    const found = await VOTED_STORES[kind].lock(tx, [...new Set(ids)]);
    for (const voted of found) locked.set(voted.id, voted);
  }
  return locked;
}

/** The votes that may be cast. The others drop out. */
function entriesOf(
  writes: readonly VoteWrite[],
  { held, users }: HeldAccesses,
  locked: ReadonlyMap<Id, Voted>,
): readonly Entry[] {
  const refused: (readonly [number, { readonly error: unknown }])[] = [];
  const entries = writes.flatMap((write, at) => {
    const user = users.get(write.acting.actor.user_id);
    try {
      return [entryOf(write, { held: held[at], user, voted: locked.get(write.place.id) })];
    } catch (error) {
      refused.push([at, { error }]);
      return [];
    }
  });
  dropOut(refused);
  return entries;
}

/** A vote, if what the transaction has found allows it. Throws UnauthorizedError, NotFoundError or ForbiddenError. */
function entryOf(
  { ctx, acting, place, value }: VoteWrite,
  {
    held,
    user,
    voted,
  }: {
    readonly held: HeldAccess | undefined;
    readonly user: { readonly created_at_ms: number } | undefined;
    readonly voted: Voted | undefined;
  },
): Entry {
  if (held !== undefined && 'error' in held) throw held.error;
  if (held === undefined || user === undefined) throw new UnauthorizedError('token_ended');
  // The id of a comment is none of a post, though somebody may send it as one.
  if (voted?.kind !== place.kind || voted.isDeleted) throw new NotFoundError();
  const { access } = held;
  requireOpen(voted);
  if (value === -1 && access.channel.postSettings.downvotes === false) {
    throw new ForbiddenError({ code: 'downvotes_off' });
  }
  const by = { userId: acting.actor.user_id, voterSinceMs: user.created_at_ms };
  return { ctx, access, voted, value, ...by };
}

/** Sends those who watch new totals, unless these are hidden. */
function announce({ ctx, access: { channel }, voted, votes }: Entry & WrittenVote): void {
  const seen = { settings: channel.postSettings, nowMs: ctx.clock.unixMs() };
  const { score } = describeTotals(votes, voted.createdAtMs, seen);
  if (score !== undefined) ctx.scores.note(ctx, { channel, voted, votes });
}
