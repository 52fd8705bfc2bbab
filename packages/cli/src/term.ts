import { countCodePoints } from '@hearth/protocol';
import type { Term } from '@hearth/server';
import type { Flag, Invocation } from './command.ts';
import { durationMs } from './duration.ts';
import { UsageError } from './owner-error.ts';
import { formatTime, inLine } from './text.ts';

const FOR = 'for';
const REASON = 'reason';

/** The flags of every command that restricts something. */
export const TERM_FLAGS: readonly Flag[] = [
  {
    name: FOR,
    value: 'duration',
    about: 'How long, such as 30m, 1h or 7d (default: until it is lifted)',
  },
  { name: REASON, value: 'text', about: 'Reason that is shown to the people it applies to' },
];

const MOST_REASON_CHARACTERS = 512;

/** Returns how long a restriction lasts from now on, and why. Throws UsageError. */
export function termOf(flags: Invocation['flags'], nowMs: number = Date.now()): Term {
  const duration = flags.get(FOR);
  const reason = flags.get(REASON)?.trim();
  if (reason !== undefined && countCodePoints(reason) > MOST_REASON_CHARACTERS) {
    throw new UsageError(`--${REASON} must be at most ${MOST_REASON_CHARACTERS} characters long`);
  }
  return {
    ...(duration !== undefined && { until: nowMs + forMs(duration) }),
    ...(reason !== undefined && reason !== '' && { reason }),
  };
}

/** The end of a restriction, and why there is one: ` until 2026-01-31 08:05:00 UTC (spam)`. */
export function termText({ until, reason }: Term): string {
  const end = until === undefined ? '' : ` until ${formatTime(until)}`;
  return reason === undefined ? end : `${end} (${inLine(reason)})`;
}

function forMs(given: string): number {
  const ms = durationMs(given);
  if (ms !== undefined) return ms;
  throw new UsageError(`--${FOR} must be a duration such as 30m, 1h or 7d, not "${given}"`);
}
