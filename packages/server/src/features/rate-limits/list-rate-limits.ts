import { underRateLimitsKeys, type InstanceRateLimits } from '@hearth/protocol';
import type { Context } from '../../context.ts';

/** The limits of all three components (REST service rule 2); the third REST key in each of its spellings. */
export function listRateLimits({ settings }: Context): InstanceRateLimits {
  const { info, message_create, message_list, rate_limits } = settings.rest.limits;
  return {
    oprish: { info, message_create, message_list, ...underRateLimitsKeys(rate_limits) },
    pandemonium: settings.gateway.limit,
    effis: settings.files.limits,
  };
}
