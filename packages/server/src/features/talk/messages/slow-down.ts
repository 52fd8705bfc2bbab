import { RateLimitedError } from '@hearth/protocol';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { may } from '../places/places.ts';
import type { Check, Checks, Placed, Write } from '../writing/writing.ts';
import { selectPaces, upsertPaces, type Pace } from './pace-store.ts';

/**
 * Reads when people have posted in channels with slow mode, which are locked, on any process. Refuses those who have posted there a
 * moment ago, and stores who posts now.
 */
export function readPaces(
  tx: EmittingTransaction,
  entries: readonly Placed[],
  nowMs: number,
): Checks<Placed> {
  const slowed = entries.filter(isSlowed);
  return slowed.length === 0 ? [] : readSlowed(tx, slowed, nowMs);
}

async function readSlowed(
  tx: EmittingTransaction,
  slowed: readonly Placed[],
  nowMs: number,
): Promise<readonly Check<Placed>[]> {
  const wanted = new Map(slowed.map((entry) => [keyOf(paceOf(entry)), paceOf(entry)]));
  const known = await selectPaces(tx, [...wanted.values()]);
  const agoMs = new Map(known.map((pace) => [keyOf(pace), ageOf(pace.postedAtMs, nowMs)]));
  const noted: Pace[] = [];
  const pacing: Check<Placed> = {
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
  return [pacing];
}

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
