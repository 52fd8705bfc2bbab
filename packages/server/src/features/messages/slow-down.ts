import { RateLimitedError, type Id } from '@hearth/protocol';
import { ageOf } from '../../lib/stored-moment.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { ChannelAccess } from '../communities/access.ts';
import { may } from './message-access.ts';
import { selectPaces, upsertPaces, type Pace } from './pace-store.ts';

/** Somebody who posts in a channel, which is locked. */
export interface Posting {
  readonly access: ChannelAccess;
  readonly userId: Id;
}

/** Throws RateLimitedError if a member has posted in a channel with slow mode a moment ago, on any process. */
export async function slowDown(
  tx: EmittingTransaction,
  access: ChannelAccess,
  { userId, nowMs }: { readonly userId: Id; readonly nowMs: number },
): Promise<void> {
  const error = (await slowDownAll(tx, [{ access, userId }], nowMs)).get(0);
  if (error !== undefined) throw error;
}

/**
 * Notes who posts in channels with slow mode. Returns those who have posted there a moment ago, on any process or before in this
 * list, by their places in the list.
 */
export async function slowDownAll(
  tx: EmittingTransaction,
  posts: readonly Posting[],
  nowMs: number,
): Promise<ReadonlyMap<number, RateLimitedError>> {
  const slowed = posts.map(({ access }) => isSlowed(access));
  if (!slowed.includes(true)) return new Map();
  const wanted = new Map<string, Omit<Pace, 'postedAtMs'>>();
  for (const [at, posting] of posts.entries()) {
    if (slowed[at] !== true) continue;
    wanted.set(keyOf(posting), { channelId: posting.access.channel.id, userId: posting.userId });
  }
  const known = await selectPaces(tx, [...wanted.values()]);
  const agoMs = new Map(
    known.map((pace) => [`${pace.channelId} ${pace.userId}`, ageOf(pace.postedAtMs, nowMs)]),
  );
  const refused = new Map<number, RateLimitedError>();
  const noted: Pace[] = [];
  for (const [at, posting] of posts.entries()) {
    if (slowed[at] !== true) continue;
    const { id: channelId, slowModeSeconds } = posting.access.channel;
    const pauseMs = slowModeSeconds * 1_000;
    const passedMs = agoMs.get(keyOf(posting)) ?? Infinity;
    if (passedMs < pauseMs) {
      refused.set(at, new RateLimitedError(Math.max(1, pauseMs - passedMs)));
    } else {
      agoMs.set(keyOf(posting), 0);
      noted.push({ channelId, userId: posting.userId, postedAtMs: nowMs });
    }
  }
  await upsertPaces(tx, noted);
  return refused;
}

function isSlowed(access: ChannelAccess): boolean {
  return (
    access.channel.slowModeSeconds > 0 &&
    !may(access, 'BYPASS_SLOW_MODE') &&
    !may(access, 'MANAGE_CONTENT')
  );
}

function keyOf({ access, userId }: Posting): string {
  return `${access.channel.id} ${userId}`;
}
