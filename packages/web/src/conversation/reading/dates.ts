/** The day of a Unix time in the reader's time zone, as date fields have it: `2026-11-23`. */
export function dateOf(ms: number): string {
  const date = new Date(ms);
  const padded = (value: number, length: number) => String(value).padStart(length, '0');
  return `${padded(date.getFullYear(), 4)}-${padded(date.getMonth() + 1, 2)}-${padded(date.getDate(), 2)}`;
}

/** When that day begins in the reader's time zone, in Unix milliseconds; undefined if it is no day. */
export function startOfDate(value: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00`).getTime() : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
