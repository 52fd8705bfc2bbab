import type { TotpSecret } from '@hearth/protocol';
import {
  receivedNothing,
  receivedRecoveryCodes,
  receivedTotpSecret,
} from '@hearth/protocol/received';
import type { Api } from './api.ts';
import { LONGEST_FORM_WAIT_MS } from './patience.ts';
import type { RequestOptions } from './types.ts';

/** The second factor of the person who is signed in: codes of an authenticator app. */
export class TotpClient {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Begins to set it up, and returns what the app needs. It is not in force before `confirm`. Throws ValidationError for a wrong password. */
  begin(
    body: { readonly current_password: string },
    { signal }: RequestOptions = {},
  ): Promise<TotpSecret> {
    return this.#api.request({
      method: 'POST',
      path: '/users/me/totp',
      limit: 'auth',
      body,
      hasSecret: true,
      longestWaitMs: LONGEST_FORM_WAIT_MS,
      answers: receivedTotpSecret,
      signal,
    });
  }

  /**
   * Puts it into force with a first code of the app. Returns the recovery codes, each of which can be used once in place of
   * a code. They are not shown again. Throws ValidationError for a wrong code.
   */
  async confirm(code: string, { signal }: RequestOptions = {}): Promise<readonly string[]> {
    const { recovery_codes: codes } = await this.#api.request({
      method: 'POST',
      path: '/users/me/totp',
      limit: 'auth',
      body: { code },
      hasSecret: true,
      longestWaitMs: LONGEST_FORM_WAIT_MS,
      answers: receivedRecoveryCodes,
      signal,
    });
    return codes;
  }

  /** Removes it. Throws ValidationError for a wrong password or code. */
  async disable(
    body: { readonly current_password: string; readonly code: string },
    { signal }: RequestOptions = {},
  ): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/users/me/totp',
      limit: 'auth',
      body,
      hasSecret: true,
      longestWaitMs: LONGEST_FORM_WAIT_MS,
      answers: receivedNothing,
      signal,
    });
  }
}
