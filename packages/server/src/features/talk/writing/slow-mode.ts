import { RateLimitedError } from '@hearth/protocol';
import { ageOf } from '../../../lib/stored-moment.ts';
import { may } from '../places/places.ts';
import type { Checking, Placed, Write } from './entry.ts';
import { selectPaces, upsertPaces, type Pace } from './pace-store.ts';

/**
 * Reads when people have posted in channels with slow mode, which are locked, on any process. Refuses those who have posted there a
 * moment ago, and stores who posts now.
 */
export const slowDown: Checking<Placed> = async (tx, entries, { nowMs }) => {
  const slowed = entries.filter(isSlowed);
  if (slowed.length === 0) return undefined;
  const wanted = new Map(slowed.map((entry) => [keyOf(paceOf(entry)), paceOf(entry)]));
  const known = await selectPaces(tx, [...wanted.values()]);
  const agoMs = new Map(known.map((pace) => [keyOf(pace), ageOf(pace.postedAtMs, nowMs)]));
  const noted: Pace[] = [];
  return {
    refusalOf(entry) {
      if (!isSlowed(entry)) return undefined;
      const pauseMs = entry.turning.access.place.slowModeSeconds * 1_000;
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
};

function isSlowed({ turning: { access } }: Write): boolean {
  return (
    access.place.slowModeSeconds > 0 &&
    !may(access, 'BYPASS_SLOW_MODE') &&
    !may(access, 'MANAGE_CONTENT')
  );
}

type Pacing = Omit<Pace, 'postedAtMs'>;

function paceOf({ turning, draft }: Write): Pacing {
  return { channelId: turning.access.place.id, userId: draft.author.id };
}

function keyOf({ channelId, userId }: Pacing): string {
  return `${channelId} ${userId}`;
}
