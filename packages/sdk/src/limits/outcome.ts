import type { ErrorCode } from '@hearth/protocol';
import { FileSizeRateLimitedError, RateLimitedError, type HearthError } from '../errors.ts';
import { limitHeadersOf, type HeaderReader } from './limit-headers.ts';

/** The outcome of one attempt; an answer with an error is one too. An attempt without an answer throws. */
export type Outcome<Value> =
  | { readonly ok: true; readonly headers: HeaderReader; readonly value: Value }
  | Failure;

/** An answer with an error. */
export interface Failure {
  readonly ok: false;
  readonly headers: HeaderReader;
  readonly error: HearthError;
}

/** The facts that decide whether a limit or a place has refused a request. */
interface Paced {
  readonly longestWaitMs?: number | undefined;
  readonly hasOwnPace?: boolean | undefined;
  readonly lane?: string | undefined;
}

const BUSY: ErrorCode = 'busy';

/** Returns whether a place has refused a request because too much is waiting for it (ER12). */
export function isBusy(error: HearthError): error is RateLimitedError {
  return error instanceof RateLimitedError && error.code === BUSY;
}

/** The error of a request whose place was busy for too long. */
export function busyError(message: string, retryAfterMs: number): RateLimitedError {
  return new RateLimitedError(message, retryAfterMs, BUSY);
}

/** Returns whether something other than the limit has refused a request. The headers describe the limit. */
export function isOfOther(
  outcome: Outcome<unknown>,
  { longestWaitMs, hasOwnPace = false, lane }: Paced,
): boolean {
  const headers = limitHeadersOf(outcome.headers);
  const retryAfterMs = outcome.ok ? undefined : retryAfterOf(outcome.error);
  if (headers === undefined || retryAfterMs === undefined) return false;
  const { requestCount, max, resetMs } = headers;
  const isPaced = hasOwnPace || lane !== undefined;
  return longestWaitMs !== undefined || (isPaced && (requestCount < max || retryAfterMs > resetMs));
}

/** The time to wait after a refusal; undefined for other errors. */
export function retryAfterOf(error: HearthError): number | undefined {
  const isRefusal = error instanceof RateLimitedError || error instanceof FileSizeRateLimitedError;
  return isRefusal ? error.retryAfterMs : undefined;
}
