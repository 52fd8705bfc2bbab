import { RateLimitedError } from '@hearth/protocol';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { Check } from './accept-in-order.ts';
import type { ChannelWrite } from './channel-writes.ts';
import { may } from '../places/places.ts';
import { selectPaces, upsertPaces, type Pace } from './pace-store.ts';

/** Refuses members who have posted in a channel with slow mode a moment ago. */
export interface SlowMode extends Check<ChannelWrite> {
  /** Stores who posts now. */
  store(): Promise<void>;
}

/** Reads when people have posted in channels with slow mode, which are locked, on any process. */
export async function readPaces(
  tx: EmittingTransaction,
  entries: readonly ChannelWrite[],
  nowMs: number,
): Promise<SlowMode> {
  const slowed = entries.filter(isSlowed);
  const wanted = new Map(slowed.map((entry) => [keyOf(paceOf(entry)), paceOf(entry)]));
  const known = wanted.size === 0 ? [] : await selectPaces(tx, [...wanted.values()]);
  const agoMs = new Map(known.map((pace) => [keyOf(pace), ageOf(pace.postedAtMs, nowMs)]));
  const noted: Pace[] = [];
  return {
    refusalOf(entry) {
      if (!isSlowed(entry)) return undefined;
      const pauseMs = entry.turning.access.channel.slowModeSeconds * 1_000;
      const passedMs = agoMs.get(keyOf(paceOf(entry))) ?? Infinity;
      if (passedMs >= pauseMs) return undefined;
      return { error: new RateLimitedError(Math.max(1, pauseMs - passedMs)) };
    },
    accept(entry) {
      if (!isSlowed(entry)) return;
      const pace = paceOf(entry);
      agoMs.set(keyOf(pace), 0);
      noted.push({ ...pace, postedAtMs: nowMs });
    },
    async store() {
      if (noted.length > 0) await upsertPaces(tx, noted);
    },
  };
}

function isSlowed({ turning: { access } }: ChannelWrite): boolean {
  return (
    access.channel.slowModeSeconds > 0 &&
    !may(access, 'BYPASS_SLOW_MODE') &&
    !may(access, 'MANAGE_CONTENT')
  );
}

type Pacing = Omit<Pace, 'postedAtMs'>;

function paceOf({ turning, draft }: ChannelWrite): Pacing {
  return { channelId: turning.access.channel.id, userId: draft.author.id };
}

function keyOf({ channelId, userId }: Pacing): string {
  return `${channelId} ${userId}`;
}
