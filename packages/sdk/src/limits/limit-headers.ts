import { RATE_LIMIT_HEADERS } from '@hearth/protocol';

/** The limit in the headers of an answer; `lastResetMs` is Unix time by the instance's clock. */
export interface LimitHeaders {
  readonly resetMs: number;
  readonly max: number;
  readonly lastResetMs: number;
  readonly requestCount: number;
  /** Undefined if bytes are not limited. */
  readonly byteMax: number | undefined;
  readonly sentBytes: number;
}

/** The headers of an answer. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** Undefined if the answer has no limit, or not all of it. */
export function limitHeadersOf(headers: HeaderReader): LimitHeaders | undefined {
  const value = (name: keyof typeof RATE_LIMIT_HEADERS) =>
    numberOf(headers.get(RATE_LIMIT_HEADERS[name]));
  const [resetMs, max, lastResetMs, requestCount] = [
    value('reset'),
    value('max'),
    value('lastReset'),
    value('requestCount'),
  ];
  if (resetMs === undefined || max === undefined) return undefined;
  if (lastResetMs === undefined || requestCount === undefined) return undefined;
  const byteMax = value('byteMax');
  return { resetMs, max, lastResetMs, requestCount, byteMax, sentBytes: value('sentBytes') ?? 0 };
}

function numberOf(value: string | null): number | undefined {
  if (value === null || !/^[0-9]+(\.[0-9]+)?$/.test(value.trim())) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
