import { listedRateLimits, type InstanceRateLimits } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { rateLimitsOf } from '../../../config/config.ts';
import type { Context } from '../../../context.ts';

/** The limits of all three components (REST service rule 2). */
export function listRateLimits({ settings }: Context, _actor: Actor): InstanceRateLimits {
  return listedRateLimits(rateLimitsOf(settings));
}
