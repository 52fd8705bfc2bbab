const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LEAST_SEPARATED = 1000;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Numbers, sizes and times in the reader's usual format. */
export class Formats {
  readonly locale: string;
  readonly #integer = onUse(() => new Intl.NumberFormat(this.locale, { maximumFractionDigits: 0 }));
  readonly #time = this.#onUse({ hour: '2-digit', minute: '2-digit' });
  readonly #day = this.#onUse({ day: 'numeric', month: 'long', year: 'numeric' });
  readonly #dayOfYear = this.#onUse({ weekday: 'long', day: 'numeric', month: 'long' });
  readonly #full = this.#onUse({ dateStyle: 'full', timeStyle: 'medium' });
  readonly #moment = this.#onUse({ dateStyle: 'medium', timeStyle: 'short' });
  readonly #relativeDay = onUse(
    () => new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto' }),
  );

  /** `locale` is a BCP 47 tag. */
  constructor(locale: string) {
    this.locale = locale;
  }

  /** A count, with separators. */
  count(value: number): string {
    // All locales of the catalogues write these alike, and most pages count no further.
    if (Number.isInteger(value) && value >= 0 && value < LEAST_SEPARATED) return String(value);
    return this.#integer().format(value);
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
    return this.#time().format(ms);
  }

  /** Date and time in full, for titles and screen readers. */
  full(ms: number): string {
    return this.#full().format(ms);
  }

  /** Date, hour and minute, within a sentence. */
  moment(ms: number): string {
    return this.#moment().format(ms);
  }

  /** A day, month and year. */
  date(ms: number): string {
    return this.#day().format(ms);
  }

  /** "today", "yesterday", a weekday and date of this year, or a date. */
  day(ms: number, nowMs: number): string {
    const days = Math.round((startOfDay(ms) - startOfDay(nowMs)) / DAY_MS);
    if (days === 0 || days === -1) return this.#relativeDay().format(days, 'day');
    const isThisYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
    return (isThisYear ? this.#dayOfYear : this.#day)().format(ms);
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

  #onUse(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
    return onUse(() => new Intl.DateTimeFormat(this.locale, options));
  }
}

/** Makes a value when it is first used. A formatter takes milliseconds, and the start of a page needs few. */
function onUse<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** The start of the day of `ms` in the reader's time zone; both Unix milliseconds. */
export function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}
