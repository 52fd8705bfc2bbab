const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The longest duration, ten years. */
const MOST_MS = 3_650 * 86_400_000;

/** The milliseconds of a duration such as `30m`, `1h` or `7d`. Undefined if the text is none, or longer than ten years. */
export function durationMs(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9}) ?([smhdw])$/.exec(text) ?? [];
  const ms = Number(count ?? 0) * (UNIT_MS[unit] ?? 0);
  return ms > 0 && ms <= MOST_MS ? ms : undefined;
}
