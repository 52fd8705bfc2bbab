import { durationMs } from './duration.ts';
import { UsageError } from './owner-error.ts';

/** A day, or a time of it, as listings print it; a zone may follow. */
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?: ?(UTC|Z|[+-]\d\d:\d\d))?)?$/;

/** The time that the flag `--since` names, in Unix milliseconds: a duration before now, or a time. Throws UsageError. */
export function sinceMsOf(given: string, nowMs: number): number {
  const duration = durationMs(given);
  if (duration !== undefined) return nowMs - duration;
  const [, day, time = '00:00', zone = 'UTC'] = TIME.exec(given) ?? [];
  if (day !== undefined && isDay(day)) {
    const ms = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone}`);
    if (!Number.isNaN(ms)) return ms;
  }
  throw new UsageError(
    `--since must be a duration such as 30m, 1h or 7d, or a time in UTC such as "2026-01-31 08:05", not "${given}"`,
  );
}

// Parsing alone takes 31 February for 3 March.
function isDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
