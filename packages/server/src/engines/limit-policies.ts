import type { FileRateLimit, RateLimit } from '@hearth/protocol';
import { rateLimitsOf, type InstanceSettings } from '../config/config.ts';
import { policiesBy, type LimitPolicies, type LimitPolicy } from '../ports/limiter/limiter.ts';

/** The limits of the instance file as rules for the limiter. */
export function limitPolicies(settings: InstanceSettings): LimitPolicies {
  const limits = rateLimitsOf(settings);
  return policiesBy((bucket) => policy(limits[bucket]));
}

function policy(limit: RateLimit | FileRateLimit): LimitPolicy {
  const requests = { resetAfterMs: limit.reset_after * 1000, limit: limit.limit };
  return 'file_size_limit' in limit ? { ...requests, byteLimit: limit.file_size_limit } : requests;
}
