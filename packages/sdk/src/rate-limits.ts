import type { InstanceRateLimits } from '@hearth/protocol';
import { receivedRateLimits } from '@hearth/protocol/received';
import type { Api } from './api.ts';
import type { RequestOptions } from './types.ts';

/** The limits of all three services. */
export function listRateLimits(
  api: Api,
  { signal }: RequestOptions = {},
): Promise<InstanceRateLimits> {
  return api.request({
    method: 'GET',
    path: '/rate_limits',
    limit: 'rate_limits',
    answers: receivedRateLimits,
    signal,
  });
}
