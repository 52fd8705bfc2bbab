import { ExpectationFailedError, RATE_LIMIT_HEADERS, RateLimitedError } from '@hearth/protocol';
import type { MiddlewareHandler } from 'hono';
import type { Context } from '../context.ts';
import type { LimitBucket, LimitPolicy, Standing, Verdict } from '../ports/limiter/limiter.ts';
import type { HttpEnv } from './app.ts';
import type { HeaderValues } from './respond.ts';

/** What HTTP limits. */
export type HttpBucket = Exclude<LimitBucket, 'gateway'>;

/** What a request of each bucket does, for the text of a 500. */
export const OPERATIONS: Readonly<Record<HttpBucket, string>> = {
  info: 'Reading the instance information',
  message_create: 'Posting the message',
  message_list: 'Reading the messages',
  rate_limits: 'Reading the rate limits',
  attachments: 'Storing the file',
  fetch_file: 'Fetching the file',
};

/**
 * Counts the request in `bucket` before anything else is done with it. Throws RateLimitedError (Limits), and
 * ExpectationFailedError where the client would wait in vain before it sends its body.
 */
export function limited(ctx: Context, bucket: HttpBucket): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const verdict = await ctx.limiter.take(bucket, c.env.client);
    c.set('operation', OPERATIONS[bucket]);
    c.set('verdict', verdict);
    c.set('limitHeaders', limitHeaders(verdict.policy, verdict));
    requireAllowed(c.req.raw, verdict);
    await next();
  };
}

/** Throws RateLimitedError and ExpectationFailedError, as `limited` does, for a request that was counted. */
export function requireAllowed(request: Request, verdict: Verdict): void {
  if (!verdict.allowed) throw new RateLimitedError(verdict.retryAfterMs);
  if (request.method === 'POST' && !meetsExpectation(request)) throw new ExpectationFailedError();
}

/** The rate-limit headers of an answer; the byte pair only where bytes are limited (Limits: Response headers). */
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

// The runtime sends "100 Continue" by itself, but only to those who spell the expectation like this.
function meetsExpectation({ headers }: Request): boolean {
  const expectation = headers.get('expect');
  return expectation === null || expectation === '100-continue';
}
