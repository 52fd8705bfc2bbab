import { z } from 'zod';
import {
  isDocumentedLimit,
  RATE_LIMITS,
  rateLimitKeys,
  rateLimitsIn,
  type CountsBytes,
  type IsDocumented,
  type RateLimitIn,
  type RateLimitKey,
  type RateLimitName,
} from './rate-limits.ts';

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

/** The type of a limit, from its row of {@link RATE_LIMITS}. */
export type RateLimitValue<Name extends RateLimitName> =
  CountsBytes<Name> extends true ? FileRateLimit : RateLimit;

/** Every limit. */
export type RateLimitValues = { readonly [Name in RateLimitName]: RateLimitValue<Name> };

/** Limits of the REST service (Resources: RestRateLimits). */
export const restRateLimitsSchema = z.object(shapeOf('oprish'));

/** Limits of the file service (Resources: FileRateLimits). */
export const fileRateLimitsSchema = z.object(shapeOf('effis'));

/** The answer to `GET /rate_limits` (Resources: InstanceRateLimits). */
export const instanceRateLimitsSchema = z.object({
  oprish: restRateLimitsSchema,
  pandemonium: rateLimitSchema,
  effis: fileRateLimitsSchema,
});

/** Resources: InstanceRateLimits. */
export type InstanceRateLimits = z.infer<typeof instanceRateLimitsSchema>;

type SchemaOf<Name extends RateLimitName> =
  CountsBytes<Name> extends true ? typeof fileRateLimitSchema : typeof rateLimitSchema;

type ShapeOf<Name extends RateLimitName> = {
  [Each in Name as RateLimitKey<Each>]: IsDocumented<Each> extends true
    ? SchemaOf<Each>
    : z.ZodOptional<SchemaOf<Each>>;
};

// Guarantee: the section has every one of its limits under each of that limit's keys, with the type from its row.
function shapeOf<Section extends 'oprish' | 'effis'>(
  section: Section,
): ShapeOf<RateLimitIn<Section>> {
  const entries = rateLimitsIn(section).flatMap((name) => {
    const schema =
      'file_size_limit' in RATE_LIMITS[name].defaults ? fileRateLimitSchema : rateLimitSchema;
    const listed = isDocumentedLimit(name) ? schema : schema.optional();
    return rateLimitKeys(name).map((key) => [key, listed] as const);
  });
  return Object.fromEntries(entries) as ShapeOf<RateLimitIn<Section>>;
}
