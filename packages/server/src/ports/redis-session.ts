import { createHash } from 'node:crypto';
import { isRedisAnswer, redisSocket, type RedisSocket } from '../runtime/redis-socket.ts';

/** A Lua script, kept by whoever runs it: its hash is made once for each connection. */
export interface RedisScript {
  readonly text: string;
}

/** Where commands are sent. They are carried out in the order of the calls. */
export interface RedisConnection {
  /**
   * Sends one command and resolves with its answer: strings, whole numbers, null for nothing, arrays, and a plain object for
   * a map (as HGETALL and XREAD give). Rejects with the error that Redis answers, or with {@link RedisAwayError}.
   * A command that blocks needs a `timeoutMs` above the time it blocks.
   */
  send(command: string, args: readonly string[], timeoutMs?: number): Promise<unknown>;

  /** Runs a script, in its place among the commands; its text is sent once a connection. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
}

/** Redis cannot be reached or does not answer. */
export class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError';
  /** Whether the command had been sent, so that it may have been carried out. */
  readonly wasSent: boolean;

  constructor(
    message: string,
    { wasSent = false, cause }: { wasSent?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.wasSent = wasSent;
  }
}

/** How long Redis may take to answer where nothing else is said: a busy process counts slowly, and a client waits for 3 s. */
const REDIS_TIMEOUT_MS = 2_000;
/** Commands under way on one connection; those above it are refused at once. */
export const MAX_UNDER_WAY = 10_000;

const CONNECT_TIMEOUT_MS = 2_500;
// Time-outs are counted in these: a process that was halted itself does not take Redis for gone when it goes on.
const TICK_MS = 100;
const PING_AFTER_TICKS = 10;
const PING_TIMEOUT_MS = 1_500;
// Answers of a server that others have replaced or that is not ready: another connection may lead to a better one.
const UNFIT = /^(READONLY|LOADING|MASTERDOWN)\b/;

interface Command {
  readonly reject: (error: Error) => void;
  ticksLeft: number;
}

/** One connection, from its making to its end, which comes with the first command that is not answered in time. */
export class RedisSession implements RedisConnection {
  readonly #socket: RedisSocket;
  readonly #onEnd: (error: Error) => void;
  readonly #underWay = new Set<Command>();
  readonly #hashes = new Map<RedisScript, string>();
  readonly #ticker: NodeJS.Timeout;
  #idleTicks = 0;
  #end: RedisAwayError | undefined;

  /** `onEnd` is told once when the connection has ended, whoever ended it. */
  constructor(url: string, onEnd: (error: Error) => void) {
    this.#onEnd = onEnd;
    this.#socket = redisSocket({
      url,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      onClose: () => this.close('the connection to Redis has ended'),
    });
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Why the connection has ended, or undefined while it has not. */
  get end(): RedisAwayError | undefined {
    return this.#end;
  }

  /** Connects; rejects where that fails or the server is not ready for commands. */
  async open(): Promise<void> {
    try {
      await this.#settled(this.#socket.connect(), CONNECT_TIMEOUT_MS);
    } catch (cause) {
      const reason = 'Redis cannot be reached, or refuses the name, password or number in its URL';
      this.close(reason);
      throw new RedisAwayError(reason, { cause });
    }
    await this.send('PING', []);
  }

  /** Cuts the connection; what is under way is rejected. */
  close(reason: string): void {
    if (this.#end !== undefined) return;
    this.#end = new RedisAwayError(reason);
    clearInterval(this.#ticker);
    this.#socket.close();
    for (const { reject } of this.#underWay) reject(new RedisAwayError(reason, { wasSent: true }));
    this.#underWay.clear();
    this.#onEnd(this.#end);
  }

  send(
    command: string,
    args: readonly string[],
    timeoutMs: number = REDIS_TIMEOUT_MS,
  ): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(new RedisAwayError(this.#end.message));
    if (this.#underWay.size >= MAX_UNDER_WAY) {
      return Promise.reject(new RedisAwayError('too much is asked of Redis at once'));
    }
    return this.#settled(this.#socket.send(command, args), timeoutMs);
  }

  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const operands = [String(keys.length), ...keys, ...args];
    const evalText = () => this.send('EVAL', [script.text, ...operands]);
    const hash = this.#hashes.get(script);
    if (hash === undefined) {
      // Redis keeps what EVAL brought: no run has to be sent twice, which would be behind later commands the second time.
      this.#hashes.set(script, createHash('sha1').update(script.text).digest('hex'));
      return evalText();
    }
    return this.send('EVALSHA', [hash, ...operands]).catch((error: unknown) => {
      if (isRedisAnswer(error) && error.message.startsWith('NOSCRIPT')) return evalText();
      throw error;
    });
  }

  /** Settles as `answer` does, or rejects with the end of the connection, which comes when the time is up. */
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
    if (UNFIT.test(error.message)) this.close(error.message);
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
