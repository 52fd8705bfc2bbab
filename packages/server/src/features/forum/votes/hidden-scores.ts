import type { PostSettings, Totals } from '@hearth/protocol';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Votes } from './voted.ts';

/** Until when the score of something is hidden; 0 if it is not. */
export function hiddenUntil(
  createdAtMs: number,
  { hide_scores_seconds: seconds = 0 }: Pick<PostSettings, 'hide_scores_seconds'>,
  nowMs: number,
): number {
  const lastsMs = seconds * 1_000;
  return ageOf(createdAtMs, nowMs) < lastsMs ? createdAtMs + lastsMs : 0;
}

/** The totals of something in a channel as everyone sees them. */
export function describeTotals(
  { upvotes, downvotes }: Votes,
  createdAtMs: number,
  { settings, nowMs }: { readonly settings: PostSettings; readonly nowMs: number },
): Totals {
  const untilMs = hiddenUntil(createdAtMs, settings, nowMs);
  if (untilMs > 0) return { scores_hidden_until: untilMs };
  return { score: upvotes - downvotes, upvotes, downvotes };
}
