/**
 * `value` under the third key of RestRateLimits, which is written with a space in every documented payload, and under
 * the other spellings that the interface's own history knows: clients generated from any of them find theirs.
 */
export function underRateLimitsKeys<Value>(value: Value) {
  return { 'rate limits': value, rate_limits: value, ratelimits: value };
}

/** Path of the rate-limit information, and the spelling it had before interface version 0.3.2. */
export const RATE_LIMITS_PATHS = ['/rate_limits', '/ratelimits'] as const;

/** Names of the headers on every answer of a rate-limited route (Limits: Response headers). */
export const RATE_LIMIT_HEADERS = {
  reset: 'X-RateLimit-Reset',
  max: 'X-RateLimit-Max',
  lastReset: 'X-RateLimit-Last-Reset',
  requestCount: 'X-RateLimit-Request-Count',
  byteMax: 'X-RateLimit-Byte-Max',
  sentBytes: 'X-RateLimit-Sent-Bytes',
} as const;
