/** The path of the rate-limit information, and the one it had before interface version 0.3.2. */
export const RATE_LIMITS_PATHS = ['/rate_limits', '/ratelimits'] as const;

/** The headers of every answer from a rate-limited route (Limits: Response headers). */
export const RATE_LIMIT_HEADERS = {
  reset: 'X-RateLimit-Reset',
  max: 'X-RateLimit-Max',
  lastReset: 'X-RateLimit-Last-Reset',
  requestCount: 'X-RateLimit-Request-Count',
  byteMax: 'X-RateLimit-Byte-Max',
  sentBytes: 'X-RateLimit-Sent-Bytes',
} as const;
