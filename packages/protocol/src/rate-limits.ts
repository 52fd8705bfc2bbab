import { z } from 'zod';
import { underRateLimitsKeys } from './rate-limit-names.ts';

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

/** Limits of the REST service (Resources: RestRateLimits). */
export const restRateLimitsSchema = z.object({
  info: rateLimitSchema,
  message_create: rateLimitSchema,
  /** Ours: servers of the documented interface have none. */
  message_list: rateLimitSchema.optional(),
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
