import { formatId, ID_EPOCH_SECONDS, type PostPeriod } from '@hearth/protocol';
import { sortable } from '../../../ports/database/sortable-id.ts';

const DAY_SECONDS = 24 * 60 * 60;

const SECONDS = {
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 30 * DAY_SECONDS,
  year: 365 * DAY_SECONDS,
} as const satisfies Readonly<Record<PostPeriod, number>>;

/** The smallest id of a post that was written in a period that ends now, as it is stored. */
export function beginOf(period: PostPeriod, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000) - SECONDS[period] - ID_EPOCH_SECONDS;
  return sortable(formatId({ seconds: Math.max(0, seconds), instanceId: 0, sequence: 0 }));
}
