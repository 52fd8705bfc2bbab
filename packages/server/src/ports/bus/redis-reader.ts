import type { Id } from '@hearth/protocol';
import type { Logger } from '../../log/logger.ts';
import { RedisUnavailableError, type RedisLink } from '../redis-link.ts';
import type { BusFollower, BusStart, Delivery, KeptDelivery, StreamName } from './bus.ts';
import {
  entriesOf,
  readHeads,
  readStreamPlace,
  type StreamEntry,
  type StreamKeys,
  type StreamReading,
  type StreamPlace,
} from './redis-stream.ts';
import { deliveryOf, type StoredDelivery } from './stored-entry.ts';
import type { StreamHeads } from './stream-heads.ts';

/** The time that Redis waits for the next event before the reader checks whether the epoch is still the same. */
const BLOCK_MS = 500;

/** The longest time of that request. */
const READ_TIMEOUT_MS = BLOCK_MS + 2_000;

/** The number of entries that are read at once: live, and at the beginning. */
const READ_COUNT = 128;
const PAGE_COUNT = 256;

/** The time to wait after a failure before the next attempt. */
const RETRY_MS = 100;

export interface RedisReaderOptions {
  /** Its own connection, because reading blocks it. */
  readonly link: RedisLink;
  readonly keys: StreamKeys;
  readonly follower: BusFollower;
  /** The stream that has the journal. */
  readonly journaled: StreamName;
  /** The number of other streams that are remembered. */
  readonly most: number;
  /** Makes identifiers from their positions. */
  readonly idAt: (position: number) => Id;
  /** Called when the reader has moved on. */
  readonly onProgress: () => void;
  readonly log: Logger;
}

/** The point at which a follower begins: the positions of the streams, and the entries from there on. */
interface Beginning {
  readonly heads: StreamHeads;
  readonly place: StreamPlace;
  readonly entries: readonly StreamEntry[];
  readonly unixMs: number;
}

/**
 * Delivers the shared stream to one follower. It delivers each entry once and in order, even if the connection is lost
 * in between, because reading continues after the last entry. If the stream does not continue there, the follower
 * begins again with the oldest available entry. The reader is never faster than its follower.
 */
export class RedisReader implements AsyncDisposable {
  readonly #options: RedisReaderOptions;
  #place: StreamPlace = { epoch: '', generation: '0', number: 0 };
  /** True if the next entries are known to follow the place directly. */
  #isSure = false;
  #isFailing = false;
  #isEnded = false;

  private constructor(options: RedisReaderOptions) {
    this.#options = options;
  }

  /** Gives the follower the positions of all streams and the kept events, and continues from there. */
  static async start(options: RedisReaderOptions): Promise<RedisReader> {
    const reader = new RedisReader(options);
    const { heads, place, entries, unixMs } = await reader.#readFrom(undefined);
    reader.#begin({ heads, kept: reader.#keptOf(place.epoch, entries, unixMs) }, place);
    void reader.#run();
    return reader;
  }

  /** The place of the last delivered entry. */
  get place(): StreamPlace {
    return this.#place;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#options.link[Symbol.asyncDispose]();
  }

  /** Everything that is kept after a place, or all that is kept, and the positions of the streams at the end of it. */
  async #readFrom(after: StreamPlace | undefined): Promise<Beginning> {
    const { link, keys, journaled, most } = this.#options;
    for (;;) {
      const { heads, place: known, unixMs } = await readHeads(link, keys, { journaled, most });
      let entries: StreamEntry[] = [];
      let reading = await this.#readPlace(after);
      const { epoch } = reading.head;
      while (reading.head.epoch === epoch) {
        for (const entry of reading.entries) {
          if (entry.number !== (entries.at(-1)?.number ?? entry.number - 1) + 1) entries = [];
          entries.push(entry);
        }
        const last = reading.entries.at(-1);
        if (last === undefined || reading.entries.length < PAGE_COUNT) break;
        reading = await this.#readPlace({ ...reading.head, number: last.number });
      }
      if (reading.head.epoch !== epoch || known.epoch !== epoch) continue;
      // These entries came after the positions were read.
      for (const entry of entries) if (entry.number > known.number) this.#note(heads, entry);
      if (entries.at(-1)?.number !== reading.head.number) entries = [];
      return { heads, place: reading.head, entries, unixMs };
    }
  }

  #note(heads: StreamHeads, entry: StreamEntry): void {
    const delivery = this.#deliveryOf(heads.epoch, entry)?.delivery;
    if (delivery !== undefined && 'event' in delivery) heads.set(delivery.stream, delivery);
  }

  /** The deliveries of the newest entries, back to the first that cannot be parsed. */
  #keptOf(epoch: string, entries: readonly StreamEntry[], unixMs: number): readonly KeptDelivery[] {
    let kept: KeptDelivery[] = [];
    for (const entry of entries) {
      const stored = this.#deliveryOf(epoch, entry);
      if (stored === undefined) kept = [];
      else kept.push({ delivery: stored.delivery, ageMs: unixMs - stored.unixMs });
    }
    return kept;
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

  /** Waits for the next entries. */
  async #read(): Promise<void> {
    const { link, keys } = this.#options;
    const [, stream] = keys;
    const { generation, number } = this.#place;
    const args = ['COUNT', String(READ_COUNT), 'BLOCK', String(BLOCK_MS), 'STREAMS', stream];
    const answer = await link.send('XREAD', [...args, `${generation}-${number}`], READ_TIMEOUT_MS);
    const entries = entriesOf(answerFor(stream, answer));
    this.#isSure = entries.length > 0;
    await this.#handOn(entries);
  }

  /** Checks whether the entries still continue from the place, and begins again if not. */
  async #compare(): Promise<void> {
    const { head, entries } = await this.#readPlace(this.#place);
    const before = (entries[0]?.number ?? head.number + 1) - 1;
    if (head.epoch !== this.#place.epoch || before !== this.#place.number) {
      return this.#beginAgain(this.#place);
    }
    this.#isSure = true;
    await this.#handOn(entries);
  }

  /** Begins again before the oldest entry that is kept after a place, and continues from there. */
  async #beginAgain(after: StreamPlace): Promise<void> {
    const { heads, place, entries } = await this.#readFrom(after);
    const before = (entries[0]?.number ?? place.number + 1) - 1;
    for (const entry of entries.toReversed()) {
      const delivery = this.#deliveryOf(place.epoch, entry)?.delivery;
      if (delivery === undefined || 'end' in delivery) continue;
      const { stream, epoch, position } = delivery;
      heads.set(stream, { epoch, position: position - 1 });
    }
    this.#begin({ heads, kept: [] }, { ...place, number: before });
    this.#isSure = true;
    await this.#handOn(entries);
  }

  async #handOn(entries: readonly StreamEntry[]): Promise<void> {
    for (const entry of entries) {
      if (this.#isEnded) return;
      const { generation, number } = this.#place;
      if (entry.generation !== generation || entry.number !== number + 1) {
        this.#isSure = false;
        return;
      }
      const stored = this.#deliveryOf(this.#place.epoch, entry);
      const place = { ...this.#place, number: entry.number };
      if (stored === undefined) return this.#beginAgain(place);
      const taken = this.#take(stored.delivery);
      this.#moveTo(place);
      if (taken !== undefined) await taken;
    }
  }

  // What a follower throws is its own concern.
  #take(delivery: Delivery): Promise<void> | undefined {
    try {
      const taken = this.#options.follower.take(delivery);
      return taken instanceof Promise ? taken.catch(() => {}) : undefined;
    } catch {
      return undefined;
    }
  }

  #begin(start: BusStart, place: StreamPlace): void {
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

  #deliveryOf(epoch: string, { text }: StreamEntry): StoredDelivery | undefined {
    return deliveryOf(epoch, text, this.#options.idAt);
  }

  #readPlace(after: StreamPlace | undefined): Promise<StreamReading> {
    const { link, keys } = this.#options;
    return readStreamPlace(link, keys, { after, count: PAGE_COUNT });
  }

  async #recover(error: unknown): Promise<void> {
    this.#isSure = false;
    if (this.#isEnded) return;
    if (!(error instanceof RedisUnavailableError) && !this.#isFailing) {
      this.#options.log.error({ err: error }, 'the stream of events cannot be read');
      this.#isFailing = true;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    // Rejects if the link is disposed.
    await this.#options.link.whenUp().catch(() => {});
  }
}

function answerFor(stream: string, answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, stream) : undefined;
}
