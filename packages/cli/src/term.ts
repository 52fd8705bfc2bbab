import { countCodePoints } from '@hearth/protocol';
import type { Term } from '@hearth/server';
import type { Flag, Invocation } from './command.ts';
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
  { name: REASON, value: 'text', about: 'What those whom it concerns are shown' },
];

const MOST_REASON_CHARACTERS = 512;

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The longest duration, ten years. */
const MOST_MS = 3_650 * 86_400_000;

/** How long a restriction lasts from now on, and why. Throws UsageError. */
export function termOf(flags: Invocation['flags'], nowMs: number = Date.now()): Term {
  const duration = flags.get(FOR);
  const reason = flags.get(REASON)?.trim();
  if (reason !== undefined && countCodePoints(reason) > MOST_REASON_CHARACTERS) {
    throw new UsageError(`--${REASON} must be at most ${MOST_REASON_CHARACTERS} characters long`);
  }
  return {
    ...(duration !== undefined && { until: nowMs + durationMs(duration) }),
    ...(reason !== undefined && reason !== '' && { reason }),
  };
}

/** The end of a restriction, and why there is one: ` until 2026-01-31 08:05:00 UTC (spam)`. */
export function termText({ until, reason }: Term): string {
  const end = until === undefined ? '' : ` until ${formatTime(until)}`;
  return reason === undefined ? end : `${end} (${inLine(reason)})`;
}

function durationMs(given: string): number {
  const [, count, unit = ''] = /^(\d{1,9}) ?([smhdw])$/.exec(given) ?? [];
  const ms = Number(count ?? 0) * (UNIT_MS[unit] ?? 0);
  if (ms > 0 && ms <= MOST_MS) return ms;
  throw new UsageError(`--${FOR} must be a duration such as 30m, 1h or 7d, not "${given}"`);
}
