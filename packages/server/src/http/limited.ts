import {
  ExpectationFailedError,
  RATE_LIMIT_HEADERS,
  RateLimitedError,
  type RateLimitOf,
} from '@hearth/protocol';
import type { LimitPolicy, Standing, Verdict } from '../ports/limiter/limiter.ts';
import type { HeaderValues } from './respond.ts';

export type HttpBucket = RateLimitOf<'rest' | 'files' | 'web'>;

/**
 * Throws for a request that was counted: RateLimitedError if it is beyond the limit (Limits), and
 * ExpectationFailedError if the client would wait in vain before it sends its body.
 */
export function requireAllowed(request: Request, verdict: Verdict): void {
  if (!verdict.allowed) throw new RateLimitedError(verdict.retryAfterMs);
  if (request.method !== 'GET' && !meetsExpectation(request)) throw new ExpectationFailedError();
}

/** The rate-limit headers of an answer; the two for bytes only if bytes are limited (Limits: Response headers). */
export function limitHeaders(policy: LimitPolicy, standing: Standing): HeaderValues {
  const headers: Record<string, string> = {
    [RATE_LIMIT_HEADERS.reset]: String(policy.resetAfterMs),
    [RATE_LIMIT_HEADERS.max]: String(policy.limit),
    [RATE_LIMIT_HEADERS.lastReset]: String(standing.windowStartedAtMs),
    [RATE_LIMIT_HEADERS.requestCount]: String(standing.requestCount),
  };
  if (policy.byteLimit === undefined) return headers;
  headers[RATE_LIMIT_HEADERS.byteMax] = String(policy.byteLimit);
  headers[RATE_LIMIT_HEADERS.sentBytes] = String(standing.sentBytes);
  return headers;
}

// The runtime sends "100 Continue" by itself, but only if the expectation is spelled exactly like this.
function meetsExpectation({ headers }: Request): boolean {
  const expectation = headers.get('expect');
  return expectation === null || expectation === '100-continue';
}
