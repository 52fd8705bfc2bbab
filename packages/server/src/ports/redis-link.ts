import type { Logger } from '../log/logger.ts';
import {
  RedisAwayError,
  RedisSession,
  type RedisConnection,
  type RedisScript,
} from './redis-session.ts';

export { RedisAwayError, type RedisConnection, type RedisScript } from './redis-session.ts';

/**
 * A connection to Redis that is made anew whenever it is lost, for good, with at most a second between two tries.
 * While it is lost, commands reject at once with {@link RedisAwayError}; none is sent twice, and none waits for Redis to come back.
 * A server that is silent is taken for lost within three seconds, also when nothing is asked of it.
 */
export interface RedisLink extends RedisConnection, AsyncDisposable {
  readonly isUp: boolean;

  /** Resolves when the link is up; rejects when it is disposed. */
  whenUp(): Promise<void>;
}

/** What a link is made of. */
export interface RedisLinkOptions {
  readonly url: string;
  readonly log: Logger;
  /** Runs on each new connection before anybody else may use it; may throw to refuse it. */
  readonly greet?: (connection: RedisConnection) => Promise<void>;
  /** Told each time a connection that was up is lost; must not throw. */
  readonly onDown?: (error: Error) => void;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
const AWAY = 'Redis is away';
const CLOSED = 'the link to Redis was closed';

/** Connects to Redis; rejects where the first connection cannot be made or is refused. */
export async function openRedisLink(options: RedisLinkOptions): Promise<RedisLink> {
  const link = new Link(options);
  await link.open();
  return link;
}

class Link implements RedisLink {
  readonly #options: RedisLinkOptions;
  /** The connection that there is, from its making on. */
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
    this.#up.reject(new RedisAwayError(CLOSED));
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
    // A server that lets us in and fails at once is not asked without pause.
    if (now - this.#upSinceMs > LONGEST_WAIT_MS) this.#waitMs = FIRST_WAIT_MS;
    this.#options.log.warn({ err: error }, 'Redis is away');
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
      this.#tellRefusal(error);
      this.#retryLater();
    }
  }

  /** Tells once why a Redis that answers is not taken back. */
  #tellRefusal(error: unknown): void {
    const refusal = String(error);
    if (error instanceof RedisAwayError || refusal === this.#refusal) return;
    this.#refusal = refusal;
    this.#options.log.warn({ err: error }, 'Redis is not ready');
  }
}

function pendingUp(): PromiseWithResolvers<void> {
  const up = Promise.withResolvers<void>();
  // Nobody has to wait for it.
  up.promise.catch(() => {});
  return up;
}

function away(reason: string): Promise<never> {
  return Promise.reject(new RedisAwayError(reason));
}
