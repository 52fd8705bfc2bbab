const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns how long ago something was, in the largest unit that fits: "3 hours ago". */
export function timeAgo(locale: string, ms: number, nowMs: number): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const ago = Math.max(0, nowMs - ms);
  for (const [unit, length] of UNITS) {
    if (ago >= length) return format.format(-Math.floor(ago / length), unit);
  }
  return format.format(0, 'second');
}

/** A count in little room: "1.2K". */
export function shortCount(locale: string, count: number): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(
    count,
  );
}
