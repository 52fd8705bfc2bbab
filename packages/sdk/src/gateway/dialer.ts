import {
  ACCOUNT_PROFILE,
  accessProtocols,
  LOBBY_PROFILE,
  type Authenticate,
} from '@hearth/protocol';
import type { AccessCode } from '../access-code.ts';
import type { Abilities } from '../capabilities.ts';
import type { SdkClock } from '../clock.ts';
import { UnauthorizedError } from '../errors.ts';
import type { TokenSource } from '../token-source.ts';
import { withQuery } from '../urls.ts';
import type { GatewayFeed } from './gateway-feed.ts';
import { Link } from './link.ts';
import type { LinkListener } from './link-options.ts';
import type { WebSocketConstructor } from './web-socket.ts';

export interface DialerOptions {
  readonly url: string;
  /** The abilities of the instance, which is asked before each attempt. It is asked before each attempt. */
  readonly abilities: Abilities;
  readonly accessCode: AccessCode;
  /** Undefined if the gateway must not get a token. */
  readonly tokens: TokenSource | undefined;
  readonly clock: SdkClock;
  readonly timeoutMs: number;
  readonly feed: GatewayFeed;
}

/** Makes the connections to the gateway, with the newest profile that it speaks, and knows which secrets they carried. */
export class Dialer {
  readonly #options: DialerOptions;
  /** The code that the last connection was given. */
  #code: string | undefined;
  #token: string | undefined;
  #wasCodeMissed = false;
  #wasTokenReplaced = false;

  constructor(options: DialerOptions) {
    this.#options = options;
  }

  /**
   * Has to be awaited before each connection. Throws UnauthorizedError if the token was refused meanwhile, NetworkError if it
   * is not known what the instance can do because it cannot be reached, and what the storage of tokens throws.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    const { abilities, feed } = this.#options;
    const before = await this.#readToken(signal);
    await abilities.learn(signal).catch(() => undefined);
    // If it came back right now, it would be taken for a documented one: its messages would have no ids, and be shown twice.
    if (abilities.unreachable !== undefined) throw abilities.unreachable;
    // The attempt is made even if this fails: it matters only later, and its failure is reported then.
    await feed.prepare(signal).catch(() => undefined);
    const token = await this.#readToken(signal);
    if (signal.aborted) return;
    this.#token = token;
    // Nobody becomes a guest without noticing it.
    if (before !== undefined && token === undefined) {
      throw new UnauthorizedError('The instance refused the token', 'token_invalid');
    }
  }

  /** Throws if WebSocket refuses the address, or if the access code cannot be sent. */
  dial(WebSocket: WebSocketConstructor, listener: LinkListener): Link {
    const { abilities, accessCode, clock, timeoutMs } = this.#options;
    const code = accessCode.current;
    this.#code = code;
    const protocols = code === undefined ? [] : accessProtocols(code);
    const asksProfile = this.#asksAccount || abilities.speaks(LOBBY_PROFILE);
    const authenticate = this.#asksAccount ? this.#authentication : undefined;
    const rest = { asksProfile, authenticate, WebSocket, clock, timeoutMs, listener };
    return new Link({ url: this.#url, protocols, ...rest });
  }

  /** The connection was accepted. */
  opened(): void {
    this.#wasTokenReplaced = false;
  }

  /** Returns whether the instance has begun to ask for the code, which was not sent before. True only once. */
  missesCode(): boolean {
    if (this.#code !== undefined || this.#wasCodeMissed) return false;
    this.#wasCodeMissed = this.#options.accessCode.missed();
    return this.#wasCodeMissed;
  }

  /** The gateway refused the token, which is forgotten unless there is another one. Returns whether there is. */
  async replaceToken(signal: AbortSignal): Promise<boolean> {
    const { tokens, feed } = this.#options;
    const token = this.#token;
    if (tokens === undefined || token === undefined) return false;
    const code = feed.isSessionEnded ? 'token_ended' : 'token_invalid';
    const error = new UnauthorizedError('The gateway refused the token', code);
    if (this.#wasTokenReplaced) {
      await tokens.forget(token, error, [signal]);
      return false;
    }
    const other = await tokens.replacementOf(token, error, [signal]);
    this.#wasTokenReplaced = other !== undefined;
    return this.#wasTokenReplaced;
  }

  async #readToken(signal: AbortSignal): Promise<string | undefined> {
    return await this.#options.tokens?.read([signal]);
  }

  get #asksAccount(): boolean {
    return this.#options.abilities.speaks(ACCOUNT_PROFILE);
  }

  get #url(): string {
    const { url, abilities, feed } = this.#options;
    if (this.#asksAccount) return withQuery(url, { v: ACCOUNT_PROFILE });
    if (!abilities.speaks(LOBBY_PROFILE)) return url;
    const { online, pauses } = this.#wishes;
    const [place] = feed.places.values();
    const { epoch, s } = place ?? {};
    return withQuery(url, { v: LOBBY_PROFILE, epoch, s, online, pauses });
  }

  get #authentication(): NonNullable<Authenticate['d']> {
    const places = [...this.#options.feed.places];
    const resume = Object.fromEntries(
      places.map(([stream, { epoch, s }]) => [stream, [epoch, s] satisfies [string, number]]),
    );
    const { online, pauses } = this.#wishes;
    return {
      ...(this.#token !== undefined && { token: this.#token }),
      ...(places.length > 0 && { resume }),
      ...(online && { online }),
      ...(pauses && { pauses }),
    };
  }

  get #wishes(): { readonly online: true | undefined; readonly pauses: true | undefined } {
    const { abilities } = this.#options;
    return {
      online: abilities.has('online') || undefined,
      pauses: abilities.has('pauses') || undefined,
    };
  }
}
