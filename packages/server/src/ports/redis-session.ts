import { createHash } from 'node:crypto';
import { isRedisAnswer, redisSocket, type RedisSocket } from '../runtime/redis-socket.ts';

/** A Lua script. Its caller keeps this object, because the hash is computed once per object and connection. */
export interface RedisScript {
  readonly text: string;
}

/** Sends commands to Redis, which executes them in the order of the calls. */
export interface RedisConnection {
  /**
   * Sends one command and resolves with its answer: a string, an integer, null, an array, or a plain object for a map
   * (as for HGETALL and XREAD). Rejects with the error that Redis answers, or with {@link RedisUnavailableError}. A command
   * that blocks needs a `timeoutMs` longer than the time for which it blocks.
   */
  send(command: string, args: readonly string[], timeoutMs?: number): Promise<unknown>;

  /** Runs a script in order with the commands. Its text is sent once per connection. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
}

/** Redis cannot be reached or does not answer. */
export class RedisUnavailableError extends Error {
  override readonly name = 'RedisUnavailableError';
  /** True if the command had been sent, so that Redis may have executed it. */
  readonly wasSent: boolean;

  constructor(
    message: string,
    { wasSent = false, cause }: { wasSent?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.wasSent = wasSent;
  }
}

/** The time that Redis may take to answer by default. A busy process counts this slowly, and a client waits for 3 s. */
const REDIS_TIMEOUT_MS = 2_000;
/** The number of commands that may be in flight on one connection. More are refused at once. */
export const MAX_UNDER_WAY = 10_000;

const CONNECT_TIMEOUT_MS = 2_500;
// Timeouts are counted in ticks, so that a process that was itself halted does not mistake Redis for lost afterwards.
const TICK_MS = 100;
const PING_AFTER_TICKS = 10;
const PING_TIMEOUT_MS = 1_500;
// Answers of a server that was replaced or is not ready. A new connection may lead to another server.
const UNUSABLE = /^(READONLY|LOADING|MASTERDOWN)\b/;

interface Command {
  readonly reject: (error: Error) => void;
  ticksLeft: number;
}

/** One connection. It ends at the latest when a command is not answered in time. */
export class RedisSession implements RedisConnection {
  readonly #socket: RedisSocket;
  readonly #onEnd: (error: Error) => void;
  readonly #underWay = new Set<Command>();
  readonly #hashes = new Map<RedisScript, string>();
  readonly #ticker: NodeJS.Timeout;
  #idleTicks = 0;
  #end: RedisUnavailableError | undefined;

  /** `onEnd` is called once, when the connection has ended for any reason. */
  constructor(url: string, onEnd: (error: Error) => void) {
    this.#onEnd = onEnd;
    this.#socket = redisSocket({
      url,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      onClose: () => this.close('the connection to Redis has ended'),
    });
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Why the connection has ended; undefined until then. */
  get end(): RedisUnavailableError | undefined {
    return this.#end;
  }

  /** Connects. Rejects if that fails or the server is not ready for commands. */
  async open(): Promise<void> {
    try {
      await this.#settled(this.#socket.connect(), CONNECT_TIMEOUT_MS);
    } catch (cause) {
      const reason =
        'Redis cannot be reached, or refuses the user, password or database number in its URL';
      this.close(reason);
      throw new RedisUnavailableError(reason, { cause });
    }
    await this.send('PING', []);
  }

  /** Closes the connection at once. Commands in flight are rejected. */
  close(reason: string): void {
    if (this.#end !== undefined) return;
    this.#end = new RedisUnavailableError(reason);
    clearInterval(this.#ticker);
    this.#socket.close();
    for (const { reject } of this.#underWay)
      reject(new RedisUnavailableError(reason, { wasSent: true }));
    this.#underWay.clear();
    this.#onEnd(this.#end);
  }

  send(
    command: string,
    args: readonly string[],
    timeoutMs: number = REDIS_TIMEOUT_MS,
  ): Promise<unknown> {
    if (this.#end !== undefined)
      return Promise.reject(new RedisUnavailableError(this.#end.message));
    if (this.#underWay.size >= MAX_UNDER_WAY) {
      return Promise.reject(new RedisUnavailableError('too many commands to Redis are in flight'));
    }
    return this.#settled(this.#socket.send(command, args), timeoutMs);
  }

  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const operands = [String(keys.length), ...keys, ...args];
    const evalText = () => this.send('EVAL', [script.text, ...operands]);
    const hash = this.#hashes.get(script);
    if (hash === undefined) {
      // EVAL also caches the script, so no run has to be sent a second time, after later commands.
      this.#hashes.set(script, createHash('sha1').update(script.text).digest('hex'));
      return evalText();
    }
    return this.send('EVALSHA', [hash, ...operands]).catch((error: unknown) => {
      if (isRedisAnswer(error) && error.message.startsWith('NOSCRIPT')) return evalText();
      throw error;
    });
  }

  /** Settles as `answer` does. If the time is up first, the connection ends, and that rejects this. */
  #settled(answer: Promise<unknown>, timeoutMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const command: Command = { reject, ticksLeft: Math.ceil(timeoutMs / TICK_MS) + 1 };
      this.#underWay.add(command);
      answer.then(
        (value) => {
          if (this.#leaves(command)) resolve(value);
        },
        (error: unknown) => this.#failed(command, error),
      );
    });
  }

  #leaves(command: Command): boolean {
    this.#idleTicks = 0;
    return this.#underWay.delete(command);
  }

  #failed(command: Command, error: unknown): void {
    if (!isRedisAnswer(error)) return this.close('the connection to Redis has ended');
    if (this.#leaves(command)) command.reject(error);
    if (UNUSABLE.test(error.message)) this.close(error.message);
  }

  #tick(): void {
    for (const command of this.#underWay) {
      command.ticksLeft -= 1;
      if (command.ticksLeft <= 0) return this.close('Redis did not answer in time');
    }
    this.#idleTicks += 1;
    if (this.#underWay.size > 0 || this.#idleTicks < PING_AFTER_TICKS) return;
    this.send('PING', [], PING_TIMEOUT_MS).catch(() => {});
  }
}
