import type {
  FileRateLimit,
  InstanceRateLimits,
  RateLimit,
  RateLimitValues,
} from './rate-limit-schemas.ts';
import { RATE_LIMITS, rateLimitKeys, rateLimitsIn, type RateLimitName } from './rate-limits.ts';

/** All limits as `GET /rate_limits` lists them, each under all of its keys. */
export function listedRateLimits(limits: RateLimitValues): InstanceRateLimits {
  return {
    oprish: listed('oprish', limits),
    pandemonium: limits.gateway,
    effis: listed('effis', limits),
  };
}

/** One of the limits in the answer to `GET /rate_limits`; undefined if the server does not have it. */
export function listedRateLimit(
  limits: InstanceRateLimits,
  name: RateLimitName,
): RateLimit | FileRateLimit | undefined {
  const { section } = RATE_LIMITS[name];
  if (section === 'pandemonium') return limits.pandemonium;
  const values: Readonly<Record<string, RateLimit | undefined>> = limits[section];
  const [key = name] = rateLimitKeys(name);
  return values[key];
}

// Guarantee: the section has every one of its limits under each of that limit's keys.
function listed<Section extends 'oprish' | 'effis'>(
  section: Section,
  limits: RateLimitValues,
): InstanceRateLimits[Section] {
  const entries = rateLimitsIn(section).flatMap((name) =>
    rateLimitKeys(name).map((key) => [key, limits[name]] as const),
  );
  return Object.fromEntries(entries) as InstanceRateLimits[Section];
}
