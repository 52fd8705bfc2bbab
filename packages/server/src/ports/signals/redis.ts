import type { Logger } from '../../log/logger.ts';
import type { RedisConnection, RedisLink, RedisScript } from '../redis-link.ts';
import { SignalListeners } from './signal-listeners.ts';
import type { Once, Signal, SignalListener, Signals } from './signals.ts';

/** The time that Redis waits for the next signal, and the longest time of that request. */
const BLOCK_MS = 1_000;
const READ_TIMEOUT_MS = BLOCK_MS + 2_000;

/** The number of signals that are read at once. */
const READ_COUNT = 256;

/** The number of signals that may be on their way from this process. More are dropped. */
const MOST_UNDER_WAY = 1_000;

/** The time to wait after a failure before the next attempt. */
const RETRY_MS = 100;

/**
 * Adds a signal to a short stream, which expires if it is not used. The script takes the text, and how long no other signal
 * with the key is to be added; 0 if the key does not matter.
 */
const SEND: RedisScript = {
  text: `
if ARGV[2] ~= '0' and not redis.call('SET', KEYS[2], '', 'NX', 'PX', ARGV[2]) then
  return 0
end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', '1000', '*', 's', ARGV[1])
redis.call('PEXPIRE', KEYS[1], '60000')
return 1`,
};

export interface RedisSignalsOptions {
  readonly link: RedisConnection;
  /** Opens a connection to read from, because reading blocks it. */
  readonly openReader: () => Promise<RedisLink>;
  /** The beginning of the keys. Processes with the same prefix hear each other. */
  readonly prefix: string;
  readonly log: Logger;
}

/** The shared engine. Resolves when this process hears what others send. */
export async function redisSignals(options: RedisSignalsOptions): Promise<Signals> {
  const reader = await options.openReader();
  const signals = new RedisSignals(options, reader);
  await signals.begin();
  return signals;
}

class RedisSignals implements Signals {
  readonly isAlone = false;
  readonly #options: RedisSignalsOptions;
  readonly #reader: RedisLink;
  readonly #listeners: SignalListeners;
  readonly #key: string;
  #underWay = 0;
  /** The last signal that was read; undefined if it is to be looked up. */
  #last: string | undefined;
  #isEnded = false;

  constructor(options: RedisSignalsOptions, reader: RedisLink) {
    this.#options = options;
    this.#reader = reader;
    this.#listeners = new SignalListeners(options.log);
    this.#key = `${options.prefix}signals`;
  }

  async begin(): Promise<void> {
    this.#last = await this.#find();
    void this.#run();
  }

  send(signal: Signal, once?: Once): void {
    if (this.#underWay >= MOST_UNDER_WAY) return;
    void this.#add(JSON.stringify(signal), once);
  }

  listen(listener: SignalListener): () => void {
    return this.#listeners.add(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#reader[Symbol.asyncDispose]();
  }

  async #add(text: string, once: Once | undefined): Promise<void> {
    const { link, prefix, log } = this.#options;
    this.#underWay += 1;
    try {
      const key = once === undefined ? this.#key : `${prefix}once:${once.key}`;
      await link.run(SEND, [this.#key, key], [text, String(once?.everyMs ?? 0)]);
    } catch (err) {
      log.debug({ err }, 'a signal was not sent');
    }
    this.#underWay -= 1;
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      try {
        await this.#reader.whenUp();
        this.#last ??= await this.#find();
        await this.#read(this.#last);
      } catch (err) {
        // What was sent meanwhile is outdated.
        this.#last = undefined;
        this.#options.log.debug({ err }, 'signals are not received');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #find(): Promise<string> {
    const newest = await this.#reader.send('XREVRANGE', [this.#key, '+', '-', 'COUNT', '1']);
    const [entry] = listOf(newest);
    const [id] = listOf(entry);
    return typeof id === 'string' ? id : '0-0';
  }

  async #read(last: string): Promise<void> {
    const from = ['STREAMS', this.#key, last];
    const args = ['COUNT', String(READ_COUNT), 'BLOCK', String(BLOCK_MS), ...from];
    const answer = await this.#reader.send('XREAD', args, READ_TIMEOUT_MS);
    if (typeof answer !== 'object' || answer === null) {
      const newest = await this.#find();
      // The stream has expired, or Redis has lost it.
      if (timeOf(newest) < timeOf(last)) this.#last = newest;
      return;
    }
    for (const entry of listOf(Object.values(answer)[0])) {
      const [id, fields] = listOf(entry);
      this.#last = String(id);
      const signal = signalIn(listOf(fields)[1]);
      if (signal !== undefined) this.#listeners.notify(signal);
    }
  }
}

/** When a signal was added. */
function timeOf(id: string): number {
  return Number.parseInt(id, 10);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// Guarantee: `send` wrote it, though perhaps of another version.
function signalIn(text: unknown): Signal | undefined {
  try {
    return JSON.parse(String(text)) as Signal;
  } catch {
    return undefined;
  }
}
