import { onlineCountSchema } from '@hearth/protocol/schemas';
import type { Api } from './api.ts';
import type { RequestOptions } from './types.ts';

/** Counts the connections of the instance's gateways. */
export async function countOnline(api: Api, { signal }: RequestOptions = {}): Promise<number> {
  const { count } = await api.request({
    method: 'GET',
    path: '/online',
    limit: 'read',
    answers: onlineCountSchema,
    signal,
  });
  return count;
}
