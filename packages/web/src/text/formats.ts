const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Numbers, sizes and times in the reader's usual format. */
export class Formats {
  readonly locale: string;
  readonly #integer: Intl.NumberFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #dayOfYear: Intl.DateTimeFormat;
  readonly #full: Intl.DateTimeFormat;
  readonly #moment: Intl.DateTimeFormat;
  readonly #relativeDay: Intl.RelativeTimeFormat;

  /** `locale` is a BCP 47 tag. */
  constructor(locale: string) {
    this.locale = locale;
    this.#integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
    this.#time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
    this.#dayOfYear = new Intl.DateTimeFormat(locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
    });
    this.#day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' });
    this.#full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' });
    this.#moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
    this.#relativeDay = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  }

  /** A count, with separators. */
  count(value: number): string {
    return this.#integer.format(value);
  }

  /** A size in bytes, in decimal units as instances configure them. */
  size(bytes: number): string {
    const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
    return new Intl.NumberFormat(this.locale, {
      style: 'unit',
      unit: UNITS[power] ?? 'byte',
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumFractionDigits: power === 0 ? 0 : 1,
    }).format(bytes / 1000 ** power);
  }

  /** The hour and minute of a Unix time in milliseconds. */
  time(ms: number): string {
    return this.#time.format(ms);
  }

  /** Date and time in full, for titles and screen readers. */
  full(ms: number): string {
    return this.#full.format(ms);
  }

  /** Date, hour and minute, within a sentence. */
  moment(ms: number): string {
    return this.#moment.format(ms);
  }

  /** A day, month and year. */
  date(ms: number): string {
    return this.#day.format(ms);
  }

  /** "today", "yesterday", a weekday and date of this year, or a date. */
  day(ms: number, nowMs: number): string {
    const days = Math.round((startOfDay(ms) - startOfDay(nowMs)) / DAY_MS);
    if (days === 0 || days === -1) return this.#relativeDay.format(days, 'day');
    const isThisYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
    return (isThisYear ? this.#dayOfYear : this.#day).format(ms);
  }

  /** A duration, in whole seconds or, from two minutes on, minutes; rounded up. */
  duration(ms: number): string {
    const isLong = ms >= 2 * MINUTE_MS;
    const value = Math.max(1, Math.ceil(ms / (isLong ? MINUTE_MS : 1000)));
    const unit = isLong ? 'minute' : 'second';
    return new Intl.NumberFormat(this.locale, { style: 'unit', unit, unitDisplay: 'short' }).format(
      value,
    );
  }
}

/** The start of the day of `ms` in the reader's time zone; both Unix milliseconds. */
export function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}
