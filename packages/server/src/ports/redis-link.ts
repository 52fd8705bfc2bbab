import type { Logger } from '../log/logger.ts';
import {
  RedisUnavailableError,
  RedisSession,
  type RedisConnection,
  type RedisScript,
} from './redis-session.ts';

export { RedisUnavailableError, type RedisConnection, type RedisScript } from './redis-session.ts';

/**
 * A connection to Redis that is made again whenever it is lost, without giving up and with at most a second between two
 * attempts. While it is lost, commands reject at once with {@link RedisUnavailableError}: none is sent twice, and none waits
 * until Redis is back. A silent server counts as lost within three seconds, even if no command is sent to it.
 */
export interface RedisLink extends RedisConnection, AsyncDisposable {
  readonly isUp: boolean;

  /** Resolves when the link is up; rejects when it is disposed. */
  whenUp(): Promise<void>;
}

/** Options of a link. */
export interface RedisLinkOptions {
  readonly url: string;
  readonly log: Logger;
  /** Runs on each new connection before it is used for anything else. May throw to refuse the connection. */
  readonly greet?: (connection: RedisConnection) => Promise<void>;
  /** Called each time a connection that was up is lost. Must not throw. */
  readonly onDown?: (error: Error) => void;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
const AWAY = 'Redis is unavailable';
const CLOSED = 'the link to Redis was closed';

/** Connects to Redis. Rejects if the first connection cannot be made or is refused. */
export async function openRedisLink(options: RedisLinkOptions): Promise<RedisLink> {
  const link = new Link(options);
  await link.open();
  return link;
}

class Link implements RedisLink {
  readonly #options: RedisLinkOptions;
  /** The present connection, which may still be connecting. */
  #session: RedisSession | undefined;
  #isUp = false;
  #isDisposed = false;
  #upSinceMs = 0;
  #downSinceMs: number | undefined;
  #waitMs = FIRST_WAIT_MS;
  #retry: NodeJS.Timeout | undefined;
  #up = pendingUp();
  #refusal = '';

  constructor(options: RedisLinkOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  whenUp(): Promise<void> {
    return this.#isDisposed ? away(CLOSED) : this.#up.promise;
  }

  async open(): Promise<void> {
    const session = new RedisSession(this.#options.url, (error) => this.#ended(session, error));
    this.#session = session;
    try {
      await session.open();
      await this.#options.greet?.(session);
    } catch (error) {
      session.close('the connection to Redis was refused');
      throw error;
    }
    if (session.end !== undefined) throw session.end;
    this.#becomeUp();
  }

  send(command: string, args: readonly string[], timeoutMs?: number): Promise<unknown> {
    return this.#upSession?.send(command, args, timeoutMs) ?? away(AWAY);
  }

  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.#upSession?.run(script, keys, args) ?? away(AWAY);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#isUp = false;
    clearTimeout(this.#retry);
    this.#up.reject(new RedisUnavailableError(CLOSED));
    this.#session?.close(CLOSED);
  }

  get #upSession(): RedisSession | undefined {
    return this.#isUp ? this.#session : undefined;
  }

  #becomeUp(): void {
    const now = performance.now();
    this.#isUp = true;
    this.#upSinceMs = now;
    this.#refusal = '';
    if (this.#downSinceMs !== undefined) {
      this.#options.log.info({ awayMs: Math.round(now - this.#downSinceMs) }, 'Redis is back');
    }
    this.#up.resolve();
  }

  #ended(session: RedisSession, error: Error): void {
    if (!this.#isUp || session !== this.#session) return;
    const now = performance.now();
    this.#isUp = false;
    this.#downSinceMs = now;
    this.#up = pendingUp();
    // The wait keeps growing if a server accepts connections and closes them at once.
    if (now - this.#upSinceMs > LONGEST_WAIT_MS) this.#waitMs = FIRST_WAIT_MS;
    this.#options.log.warn({ err: error }, 'the connection to Redis is lost');
    this.#options.onDown?.(error);
    this.#retryLater();
  }

  #retryLater(): void {
    this.#retry = setTimeout(() => void this.#reopen(), this.#waitMs);
    this.#waitMs = Math.min(LONGEST_WAIT_MS, this.#waitMs * 2);
  }

  async #reopen(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      if (this.#isDisposed) return;
      this.#logRefusal(error);
      this.#retryLater();
    }
  }

  /** Logs once why a Redis that answers is not used yet. */
  #logRefusal(error: unknown): void {
    const refusal = String(error);
    if (error instanceof RedisUnavailableError || refusal === this.#refusal) return;
    this.#refusal = refusal;
    this.#options.log.warn({ err: error }, 'Redis is not ready');
  }
}

function pendingUp(): PromiseWithResolvers<void> {
  const up = Promise.withResolvers<void>();
  // The rejection is handled even if nothing waits for the link.
  up.promise.catch(() => {});
  return up;
}

function away(reason: string): Promise<never> {
  return Promise.reject(new RedisUnavailableError(reason));
}
