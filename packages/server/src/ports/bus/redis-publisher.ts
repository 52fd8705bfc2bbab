import { RedisUnavailableError, type RedisConnection } from '../redis-link.ts';
import { KEY_REMEMBERED_MS, type StreamName } from './bus.ts';
import { IdBlocks, type IdBlock } from './redis-id-blocks.ts';
import { PUBLISH } from './redis-scripts.ts';
import { prepareStream, type StreamKeys } from './redis-stream.ts';
import type { StoredTexts } from './stored-entry.ts';

/** The time that a publication may wait for its place. */
const PLACED_BY_MS = 2_500;

/** The most that may wait, in publications and UTF-16 units. */
const MOST_WAITING = 10_000;
const MOST_WAITING_LENGTH = 32 * 1024 ** 2;

/** The largest batch, in the same units. It blocks Redis for about a millisecond. */
const MOST_AT_ONCE = 64;
const MOST_LENGTH_AT_ONCE = 256 * 1024;

/** The age of a block of identifiers at which a new one is requested. */
const OLD_BLOCK_MS = 5_000;

/** Replies of {@link PUBLISH} in place of a count. */
const NEEDS_BLOCK = 0;
const NEEDS_EPOCH = -1;

/** The limits of what is kept and remembered. */
export interface SharedBounds {
  readonly events: number;
  readonly bytes: number;
  readonly minutes: number;
  readonly journalMessages: number;
  readonly journalBytes: number;
  readonly streams: number;
  readonly subjects: number;
  readonly keys: number;
}

export interface RedisPublisherOptions {
  readonly link: RedisConnection;
  readonly keys: StreamKeys;
  readonly bounds: SharedBounds;
  /** The stream that has the journal. */
  readonly journaled: StreamName;
  readonly leaseIds: () => Promise<IdBlock>;
  /** Called with the position of the newest identifier after each batch that used some. */
  readonly onPlaced: (idPosition: number) => void;
}

interface Waiting {
  readonly texts: StoredTexts;
  readonly until: number;
  readonly resolve: (result: string) => void;
  readonly reject: (error: unknown) => void;
  isSettled: boolean;
}

/**
 * Publishes for this process in the shared stream, in the order of the calls. Calls that come during a request go
 * together in the next one. No publication that may have succeeded is sent twice.
 */
export class RedisPublisher {
  readonly #options: RedisPublisherOptions;
  readonly #blocks: IdBlocks;
  readonly #boundsTexts: readonly string[];
  #waiting: Waiting[] = [];
  #waitingLength = 0;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;
  /** True if the stream was greeted because the last reply was that there is no whole epoch. */
  #wasGreeted = false;

  constructor(options: RedisPublisherOptions) {
    const { bounds, journaled } = options;
    const { events, bytes, minutes, journalMessages, journalBytes } = bounds;
    const { streams, subjects, keys } = bounds;
    this.#options = options;
    this.#blocks = new IdBlocks(options.leaseIds);
    const kept = [events, bytes, minutes * 60_000, journalMessages, journalBytes];
    this.#boundsTexts = [...kept, journaled, streams, subjects, keys, KEY_REMEMBERED_MS].map(
      String,
    );
  }

  /**
   * Resolves when it is known whether the publication has a place, with its verdict or the position of its identifier;
   * rejects within 2.5 s if it has none or may have none.
   */
  publish(texts: StoredTexts): Promise<string> {
    if (
      this.#waiting.length >= MOST_WAITING ||
      (this.#waiting.length > 0 && this.#waitingLength >= MOST_WAITING_LENGTH)
    ) {
      return Promise.reject(new RedisUnavailableError('too many messages wait for Redis'));
    }
    return new Promise((resolve, reject) => {
      const until = performance.now() + PLACED_BY_MS;
      this.#waiting.push({ texts, until, resolve, reject, isSettled: false });
      this.#waitingLength += lengthOf({ texts });
      this.#timer ??= this.#expireLater(PLACED_BY_MS);
      if (!this.#isRunning) void this.#run();
    });
  }

  /** Rejects everything that waits. */
  end(error: Error): void {
    clearTimeout(this.#timer);
    this.#reject(this.#waiting, error);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await this.#gather();
    while (this.#waiting.length > 0) {
      const batch = firstOf(this.#waiting);
      try {
        await this.#place(batch);
      } catch (error) {
        this.#wasGreeted = false;
        this.#reject(batch, error);
      }
    }
    this.#isRunning = false;
  }

  /**
   * Waits as long as every turn of the event loop brings more. Events of one batch go out to the sockets together,
   * which costs a fraction.
   */
  async #gather(): Promise<void> {
    let before: number;
    do {
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#waiting.length > before && this.#waiting.length < MOST_AT_ONCE);
  }

  /** Sends one request for the first batch, or gets what the last request lacked. */
  async #place(batch: readonly Waiting[]): Promise<void> {
    const { link, keys } = this.#options;
    const { spare, mustDo } = this.#blocks;
    const answer = await link.run(PUBLISH, keys, [
      mustDo ? '1' : '0',
      String(OLD_BLOCK_MS),
      String(spare?.first ?? 0),
      String(spare?.end ?? 0),
      String(spare?.step ?? 1),
      spare?.epoch ?? '',
      ...this.#boundsTexts,
      ...batch.flatMap(({ texts }) => texts),
    ]);
    const { count, epoch, lastId, results } = placesOf(answer);
    this.#blocks.forget(spare);
    if (count === NEEDS_EPOCH) {
      if (this.#wasGreeted) throw new Error('Redis does not keep the stream');
      this.#wasGreeted = true;
      return prepareStream(link, keys, epoch);
    }
    this.#wasGreeted = false;
    if (count !== NEEDS_BLOCK) {
      this.#resolve(batch.slice(0, count), results);
      if (lastId > 0) this.#options.onPlaced(lastId);
    } else if (mustDo) await this.#blocks.lease(epoch);
    else await this.#blocks.tryLease(epoch);
  }

  #resolve(placed: readonly Waiting[], results: readonly unknown[]): void {
    for (const [index, each] of placed.entries()) {
      each.isSettled = true;
      each.resolve(String(results[index]));
    }
    this.#drop();
  }

  #reject(lost: readonly Waiting[], error: unknown): void {
    for (const each of lost) {
      each.isSettled = true;
      each.reject(error);
    }
    this.#drop();
  }

  #drop(): void {
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    this.#waitingLength = this.#waiting.reduce((sum, each) => sum + lengthOf(each), 0);
  }

  #expireLater(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => this.#expire(), ms);
    timer.unref();
    return timer;
  }

  #expire(): void {
    const now = performance.now();
    const late = this.#waiting.filter(({ until }) => until <= now);
    if (late.length > 0)
      this.#reject(late, new RedisUnavailableError('Redis did not answer in time'));
    const [next] = this.#waiting;
    this.#timer = next === undefined ? undefined : this.#expireLater(next.until - now + 1);
  }
}

function firstOf(waiting: readonly Waiting[]): readonly Waiting[] {
  let length = 0;
  const end = waiting.findIndex((each) => (length += lengthOf(each)) > MOST_LENGTH_AT_ONCE);
  const count = end === -1 ? waiting.length : Math.max(1, end);
  return waiting.slice(0, Math.min(MOST_AT_ONCE, count));
}

function lengthOf({ texts: [head, text] }: Pick<Waiting, 'texts'>): number {
  return head.length + text.length;
}

function placesOf(answer: unknown) {
  if (!Array.isArray(answer)) throw new Error('Redis sent an unexpected reply to a publication');
  const results: readonly unknown[] = Array.isArray(answer[3]) ? answer[3] : [];
  return {
    count: Number(answer[0]),
    epoch: String(answer[1]),
    lastId: Number(answer[2]),
    results,
  };
}
