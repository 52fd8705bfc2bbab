import { RATE_LIMIT_HEADERS } from '@hearth/protocol';

/** What the headers of an answer tell of its limit; `lastResetMs` is Unix time by the instance's clock. */
export interface LimitHeaders {
  readonly resetMs: number;
  readonly max: number;
  readonly lastResetMs: number;
  readonly requestCount: number;
  /** Absent where bytes are not limited. */
  readonly byteMax: number | undefined;
  readonly sentBytes: number;
}

/** Headers of an answer. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** Undefined where the answer tells no limit, or not all of it. */
export function limitHeadersOf(headers: HeaderReader): LimitHeaders | undefined {
  const told = (name: keyof typeof RATE_LIMIT_HEADERS) =>
    numberOf(headers.get(RATE_LIMIT_HEADERS[name]));
  const [resetMs, max, lastResetMs, requestCount] = [
    told('reset'),
    told('max'),
    told('lastReset'),
    told('requestCount'),
  ];
  if (resetMs === undefined || max === undefined) return undefined;
  if (lastResetMs === undefined || requestCount === undefined) return undefined;
  const byteMax = told('byteMax');
  return { resetMs, max, lastResetMs, requestCount, byteMax, sentBytes: told('sentBytes') ?? 0 };
}

function numberOf(value: string | null): number | undefined {
  if (value === null || !/^[0-9]+(\.[0-9]+)?$/.test(value.trim())) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
