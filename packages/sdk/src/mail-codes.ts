import type { OwnUser } from '@hearth/protocol';
import { receivedNothing, receivedOwnUser } from '@hearth/protocol/received';
import type { Api } from './api.ts';
import { LONGEST_FORM_WAIT_MS } from './patience.ts';
import type { RequestOptions } from './types.ts';

/** Sends a code to the email address of the person who is signed in. */
export async function requestEmailCode(api: Api, { signal }: RequestOptions = {}): Promise<void> {
  await api.request({
    method: 'POST',
    path: '/users/me/email-code',
    limit: 'auth',
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedNothing,
    signal,
  });
}

/** Shows with a code from a mail that the address is one's own. */
export function redeemEmailCode(
  api: Api,
  code: string,
  { signal }: RequestOptions = {},
): Promise<OwnUser> {
  return api.request({
    method: 'PUT',
    path: '/users/me/email-code/:code',
    params: { code },
    limit: 'auth',
    hasSecret: true,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedOwnUser,
    signal,
  });
}

/** Sends a code for a new password to an address, if it belongs to an account. */
export async function requestPasswordReset(
  api: Api,
  email: string,
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'POST',
    path: '/password-reset',
    limit: 'auth',
    body: { email },
    isAnonymous: true,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedNothing,
    signal,
  });
}

/** Sets a new password with a code from a mail. */
export async function resetPassword(
  api: Api,
  { code, password }: { readonly code: string; readonly password: string },
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'PUT',
    path: '/password-reset/:code',
    params: { code },
    limit: 'auth',
    body: { password },
    hasSecret: true,
    isAnonymous: true,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedNothing,
    signal,
  });
}
