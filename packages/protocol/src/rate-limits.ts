import { z } from 'zod';

/** `limit` requests in every `reset_after` seconds (Resources: RateLimitConf). */
export const rateLimitSchema = z.object({
  reset_after: z.int().positive(),
  limit: z.int().positive(),
});

/** Resources: RateLimitConf. */
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** A RateLimit that bounds uploaded bytes too (Resources: EffisRateLimitConf). */
export const fileRateLimitSchema = rateLimitSchema.extend({ file_size_limit: z.int().positive() });

/** Resources: EffisRateLimitConf. */
export type FileRateLimit = z.infer<typeof fileRateLimitSchema>;

/**
 * `value` under the third key of RestRateLimits, which is written with a space in every documented payload, and under
 * the other spellings that the interface's own history knows: clients generated from any of them find theirs.
 */
export function underRateLimitsKeys<Value>(value: Value) {
  return { 'rate limits': value, rate_limits: value, ratelimits: value };
}

/** Path of the rate-limit information, and the spelling it had before interface version 0.3.2. */
export const RATE_LIMITS_PATHS = ['/rate_limits', '/ratelimits'] as const;

/** Limits of the REST service (Resources: RestRateLimits). */
export const restRateLimitsSchema = z.object({
  info: rateLimitSchema,
  message_create: rateLimitSchema,
  ...underRateLimitsKeys(rateLimitSchema),
});

/** Limits of the file service (Resources: FileRateLimits). */
export const fileRateLimitsSchema = z.object({
  assets: fileRateLimitSchema,
  attachments: fileRateLimitSchema,
  fetch_file: rateLimitSchema,
});

/** What `GET /rate_limits` answers (Resources: InstanceRateLimits). */
export const instanceRateLimitsSchema = z.object({
  oprish: restRateLimitsSchema,
  pandemonium: rateLimitSchema,
  effis: fileRateLimitsSchema,
});

/** Resources: InstanceRateLimits. */
export type InstanceRateLimits = z.infer<typeof instanceRateLimitsSchema>;

/** Names of the headers on every answer of a rate-limited route (Limits: Response headers). */
export const RATE_LIMIT_HEADERS = {
  reset: 'X-RateLimit-Reset',
  max: 'X-RateLimit-Max',
  lastReset: 'X-RateLimit-Last-Reset',
  requestCount: 'X-RateLimit-Request-Count',
  byteMax: 'X-RateLimit-Byte-Max',
  sentBytes: 'X-RateLimit-Sent-Bytes',
} as const;
