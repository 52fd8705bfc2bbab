import type { SdkClock } from './clock.ts';
import { HearthError } from './errors.ts';
import { Guard } from './guard.ts';
import type { TokenHook } from './types.ts';

/** The characters that RFC 6750 allows in a bearer token. */
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Gets the token of each request from the hook. */
export class TokenSource {
  readonly #hook: TokenHook;
  readonly #clock: SdkClock;

  constructor(hook: TokenHook, clock: SdkClock) {
    this.#hook = hook;
    this.#clock = clock;
  }

  /**
   * Returns the token to send now. Waits for the hook until one of `signals` aborts. Throws what the hook throws. If the
   * token cannot be sent, throws a HearthError that does not quote it.
   */
  async read(
    signals: readonly (AbortSignal | undefined)[],
    refused?: string,
  ): Promise<string | undefined> {
    const guard = new Guard({ clock: this.#clock, timeoutMs: Infinity, signals });
    guard.pause();
    try {
      const token = await guard.race(this.#ask(refused));
      // The runtime would refuse it too, and its error would contain the token.
      if (token !== undefined && !BEARER_TOKEN.test(token)) {
        throw new HearthError('The token has characters that a bearer token may not have');
      }
      return token;
    } finally {
      guard.end();
    }
  }

  async #ask(refused: string | undefined): Promise<string | undefined> {
    const token = await (refused === undefined ? this.#hook() : this.#hook(refused));
    return token === '' ? undefined : token;
  }
}
