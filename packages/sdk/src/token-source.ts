import type { SdkClock } from './clock.ts';
import { HearthError, UnauthorizedError } from './errors.ts';
import { Guard } from './guard.ts';
import { throwLater } from './throw-later.ts';
import type { TokenStorage } from './tokens.ts';

type Signals = readonly (AbortSignal | undefined)[];

/** The characters that RFC 6750 allows in a bearer token. */
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** The storage of tokens, and the listeners of what happens to them. */
export interface TokenSourceOptions {
  readonly storage: TokenStorage;
  readonly clock: SdkClock;
  /** Called once for each token that the instance no longer accepts. */
  onRefused(refusal: { readonly code: string | undefined }): void;
}

/** The token of each request, from the storage. */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  #lastRefused: string | undefined;
  #isPresent = false;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  /** True if there was a token when it was last asked for or stored. */
  get isPresent(): boolean {
    return this.#isPresent;
  }

  /**
   * The token to send now. Waits for the storage until one of `signals` aborts. Throws what the storage throws. If the
   * token cannot be sent, throws a HearthError that does not quote it.
   */
  async read(signals: Signals, refused?: string): Promise<string | undefined> {
    const { storage } = this.#options;
    const read = refused === undefined ? storage.read() : storage.read(refused);
    const token = read instanceof Promise ? await this.#guarded(read, signals) : read;
    // The runtime would refuse it too, and its error would contain the token.
    if (token !== undefined && token !== '' && !BEARER_TOKEN.test(token)) {
      throw new HearthError('The token has characters that a bearer token may not have');
    }
    this.#isPresent = token !== undefined && token !== '';
    return this.#isPresent ? token : undefined;
  }

  /** Returns how long ago a token was signed, in milliseconds; 0 if it does not say. */
  ageOf(token: string): number {
    try {
      const [, payload = ''] = token.split('.');
      const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
      const isDated = typeof claims === 'object' && claims !== null && 'iat' in claims;
      return isDated ? this.#options.clock.now() - Number(claims.iat) * 1_000 : 0;
    } catch {
      return 0;
    }
  }

  /** Keeps a new token, or forgets the one that there is. */
  async write(token: string | undefined): Promise<void> {
    await this.#options.storage.write(token);
    this.#isPresent = token !== undefined;
  }

  /** The instance refused `token`. Returns the token to try in its place; if there is none, forgets `token`. */
  async replacementOf(
    token: string,
    error: UnauthorizedError,
    signals: Signals,
  ): Promise<string | undefined> {
    const other = await this.read(signals, token);
    if (other !== undefined && other !== token) return other;
    await this.#refused(token, error, other === undefined ? undefined : signals);
    return undefined;
  }

  /** The instance does not accept `token` either. */
  async forget(token: string, error: UnauthorizedError, signals: Signals): Promise<void> {
    await this.#refused(token, error, signals);
  }

  /** Without `signals`, the storage no longer has the token. */
  async #refused(
    token: string,
    { code }: UnauthorizedError,
    signals: Signals | undefined,
  ): Promise<void> {
    if (this.#lastRefused === token) return;
    this.#lastRefused = token;
    // The request fails with the refusal, whatever becomes of the storage.
    if (signals !== undefined) {
      const written = this.write(undefined);
      written.catch(throwLater);
      await this.#guarded(written, signals).catch(() => undefined);
    }
    this.#options.onRefused({ code });
  }

  async #guarded<Value>(value: Promise<Value>, signals: Signals): Promise<Value> {
    const guard = new Guard({ clock: this.#options.clock, timeoutMs: Infinity, signals });
    guard.pause();
    try {
      return await guard.race(value);
    } finally {
      guard.end();
    }
  }
}
