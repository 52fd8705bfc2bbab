import type { Logger } from '../../log/logger.ts';
import { RedisAwayError, type RedisLink } from '../redis-link.ts';
import type { BusFollower, Delivery, StreamStart } from './bus.ts';
import {
  entriesOf,
  lookAtStream,
  type StreamEntry,
  type StreamKeys,
  type StreamLook,
  type StreamPlace,
} from './redis-stream.ts';

/** How long Redis waits for the next event before the reader looks whether it is still in the right epoch. */
const BLOCK_MS = 500;

/** How long its answer may take then. */
const READ_TIMEOUT_MS = BLOCK_MS + 2_000;

/** Events that are read at once, live and at the beginning. */
const READ_COUNT = 128;
const PAGE_COUNT = 256;

/** Before the next attempt after a failure. */
const RETRY_MS = 100;

/** What a reader reads with. */
export interface RedisReaderOptions {
  /** A connection of its own, because reading waits in it. */
  readonly link: RedisLink;
  readonly keys: StreamKeys;
  readonly follower: BusFollower;
  /** The delivery at a place, or undefined where nothing is understood there. */
  readonly deliveryOf: (epoch: string, entry: StreamEntry) => Delivery | undefined;
  /** Told whenever the reader is further. */
  readonly onProgress: () => void;
  readonly log: Logger;
}

/**
 * Hands on the shared stream to one follower: each event once and in order, also where the connection is lost in
 * between, because it is read from behind the last one. Where the stream does not go on from there, the follower begins
 * anew with the oldest event that it can have. It takes no more than the follower does.
 */
export class RedisReader implements AsyncDisposable {
  readonly #options: RedisReaderOptions;
  #place: StreamPlace = { epoch: '', generation: '0', position: 0 };
  /** Whether the next events are known to be those behind the place. */
  #isSure = false;
  #isFailing = false;
  #isEnded = false;

  private constructor(options: RedisReaderOptions) {
    this.#options = options;
  }

  /** Tells the follower where the stream is and what is kept of it, and hands on from there. */
  static async start(options: RedisReaderOptions): Promise<RedisReader> {
    const reader = new RedisReader(options);
    const { start, place } = await reader.#readKept();
    reader.#begin(start, place);
    void reader.#run();
    return reader;
  }

  /** The last place that was handed on. */
  get place(): StreamPlace {
    return this.#place;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#options.link[Symbol.asyncDispose]();
  }

  async #readKept(): Promise<{ start: StreamStart; place: StreamPlace }> {
    let kept: Delivery[] = [];
    let look = await this.#look(undefined);
    for (;;) {
      const { epoch } = look.head;
      for (const entry of look.entries) {
        const delivery = this.#options.deliveryOf(epoch, entry);
        if (delivery === undefined || !isNext(delivery, kept.at(-1))) kept = [];
        if (delivery !== undefined) kept.push(delivery);
      }
      const last = look.entries.at(-1);
      if (last === undefined || look.entries.length < PAGE_COUNT) break;
      look = await this.#look({ ...look.head, position: last.position });
    }
    const place = look.head;
    const isWhole = kept.at(-1)?.position === place.position;
    return { start: { at: positionAt(place), kept: isWhole ? kept : [] }, place };
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      try {
        await (this.#isSure ? this.#read() : this.#compare());
        this.#isFailing = false;
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  /** Waits for what comes next. */
  async #read(): Promise<void> {
    const { link, keys } = this.#options;
    const [, stream] = keys;
    const { generation, position } = this.#place;
    const args = ['COUNT', String(READ_COUNT), 'BLOCK', String(BLOCK_MS), 'STREAMS', stream];
    const answer = await link.send(
      'XREAD',
      [...args, `${generation}-${position}`],
      READ_TIMEOUT_MS,
    );
    const entries = entriesOf(answerFor(stream, answer));
    this.#isSure = entries.length > 0;
    await this.#handOn(entries);
  }

  /** Looks whether the stream still goes on from the place, or else begins anew. */
  async #compare(): Promise<void> {
    const { head, entries } = await this.#look(this.#place);
    const [first] = entries;
    const before = first === undefined ? head.position : first.position - 1;
    if (head.epoch !== this.#place.epoch || before !== this.#place.position) {
      const place = { ...head, position: before };
      this.#begin({ at: positionAt(place), kept: [] }, place);
    }
    this.#isSure = true;
    await this.#handOn(entries);
  }

  async #handOn(entries: readonly StreamEntry[]): Promise<void> {
    for (const entry of entries) {
      if (this.#isEnded) return;
      const { generation, position } = this.#place;
      if (entry.generation !== generation || entry.position !== position + 1) {
        this.#isSure = false;
        return;
      }
      const delivery = this.#options.deliveryOf(this.#place.epoch, entry);
      const place = { ...this.#place, position: entry.position };
      if (delivery === undefined) {
        this.#begin({ at: positionAt(place), kept: [] }, place);
        continue;
      }
      const taken = this.#take(delivery);
      this.#moveTo(place);
      await taken;
    }
  }

  // What a follower throws is its own affair.
  #take(delivery: Delivery): Promise<void> | undefined {
    try {
      const taken = this.#options.follower.take(delivery);
      return taken instanceof Promise ? taken.catch(() => {}) : undefined;
    } catch {
      return undefined;
    }
  }

  #begin(start: StreamStart, place: StreamPlace): void {
    if (this.#isEnded) return;
    try {
      this.#options.follower.begin(start);
    } catch (error) {
      this.#options.log.error({ err: error }, 'a follower of the bus could not begin');
    }
    this.#moveTo(place);
  }

  #moveTo(place: StreamPlace): void {
    this.#place = place;
    this.#options.onProgress();
  }

  #look(after: StreamPlace | undefined): Promise<StreamLook> {
    const { link, keys } = this.#options;
    return lookAtStream(link, keys, { after, count: PAGE_COUNT });
  }

  async #recover(error: unknown): Promise<void> {
    this.#isSure = false;
    if (this.#isEnded) return;
    if (!(error instanceof RedisAwayError) && !this.#isFailing) {
      this.#options.log.error({ err: error }, 'the stream of events cannot be read');
      this.#isFailing = true;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    // Rejects where there will be none.
    await this.#options.link.whenUp().catch(() => {});
  }
}

function isNext(next: Delivery, last: Delivery | undefined): boolean {
  return last === undefined || (next.epoch === last.epoch && next.position === last.position + 1);
}

function positionAt({ epoch, position }: StreamPlace): StreamStart['at'] {
  return { epoch, position };
}

function answerFor(stream: string, answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, stream) : undefined;
}
