import type { InstanceInfo } from '@hearth/protocol';
import { receivedInstanceInfo } from '@hearth/protocol/received';
import type { Api } from './api.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { RequestOptions } from './types.ts';
import { addressesOf } from './urls.ts';

/** The instance's description of itself. Throws UnexpectedAnswerError if an address in it is not valid. */
export async function describeInstance(
  api: Api,
  { signal }: RequestOptions = {},
): Promise<InstanceInfo> {
  const info = await api.request({
    method: 'GET',
    path: '/',
    limit: 'info',
    answers: receivedInstanceInfo,
    signal,
  });
  try {
    addressesOf(info);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new UnexpectedAnswerError(`The instance gave an address that is not valid: ${what}`, {
      cause,
    });
  }
  return info;
}
