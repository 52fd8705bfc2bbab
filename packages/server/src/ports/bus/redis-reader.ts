import type { Id } from '@hearth/protocol';
import type { Logger } from '../../log/logger.ts';
import { RedisAwayError, type RedisLink } from '../redis-link.ts';
import type { BusFollower, BusStart, Delivery, KeptEvent, StreamName } from './bus.ts';
import {
  entriesOf,
  lookAtHeads,
  lookAtStream,
  type StreamEntry,
  type StreamKeys,
  type StreamLook,
  type StreamPlace,
} from './redis-stream.ts';
import { deliveryOf, type StoredDelivery } from './stored-entry.ts';
import type { StreamHeads } from './stream-heads.ts';

/** How long Redis waits for the next event before the reader looks whether it is still in the right epoch. */
const BLOCK_MS = 500;

/** How long its answer may take then. */
const READ_TIMEOUT_MS = BLOCK_MS + 2_000;

/** Entries that are read at once, live and at the beginning. */
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
  /** The stream that has the journal. */
  readonly journaled: StreamName;
  /** How many other streams are remembered. */
  readonly most: number;
  /** Makes identifiers of their positions. */
  readonly idAt: (position: number) => Id;
  /** Told whenever the reader is further. */
  readonly onProgress: () => void;
  readonly log: Logger;
}

/** What a follower begins with: where the streams are, and what is read from there on. */
interface Beginning {
  readonly heads: StreamHeads;
  readonly place: StreamPlace;
  readonly entries: readonly StreamEntry[];
  readonly unixMs: number;
}

/**
 * Hands on the shared stream to one follower: each entry once and in order, also if the connection is lost in between,
 * because reading goes on after the last one. If the stream does not go on from there, the follower begins anew with
 * the oldest entry that it can have. It takes no more than the follower does.
 */
export class RedisReader implements AsyncDisposable {
  readonly #options: RedisReaderOptions;
  #place: StreamPlace = { epoch: '', generation: '0', number: 0 };
  /** Whether the next events are known to be those behind the place. */
  #isSure = false;
  #isFailing = false;
  #isEnded = false;

  private constructor(options: RedisReaderOptions) {
    this.#options = options;
  }

  /** Hands the follower the positions of all streams and what is kept of them, and goes on from there. */
  static async start(options: RedisReaderOptions): Promise<RedisReader> {
    const reader = new RedisReader(options);
    const { heads, place, entries, unixMs } = await reader.#readFrom(undefined);
    reader.#begin({ heads, kept: reader.#keptOf(place.epoch, entries, unixMs) }, place);
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

  /** Everything that is kept after a place, or all of it, and the positions of the streams at the end of that. */
  async #readFrom(after: StreamPlace | undefined): Promise<Beginning> {
    const { link, keys, journaled, most } = this.#options;
    for (;;) {
      const { heads, place: known, unixMs } = await lookAtHeads(link, keys, { journaled, most });
      let entries: StreamEntry[] = [];
      let look = await this.#look(after);
      const { epoch } = look.head;
      while (look.head.epoch === epoch) {
        for (const entry of look.entries) {
          if (entry.number !== (entries.at(-1)?.number ?? entry.number - 1) + 1) entries = [];
          entries.push(entry);
        }
        const last = look.entries.at(-1);
        if (last === undefined || look.entries.length < PAGE_COUNT) break;
        look = await this.#look({ ...look.head, number: last.number });
      }
      if (look.head.epoch !== epoch || known.epoch !== epoch) continue;
      // These came after the positions were read.
      for (const entry of entries) if (entry.number > known.number) this.#note(heads, entry);
      if (entries.at(-1)?.number !== look.head.number) entries = [];
      return { heads, place: look.head, entries, unixMs };
    }
  }

  #note(heads: StreamHeads, entry: StreamEntry): void {
    const delivery = this.#deliveryOf(heads.epoch, entry)?.delivery;
    if (delivery !== undefined && 'event' in delivery) heads.set(delivery.stream, delivery);
  }

  /** The events of the newest entries that are all understood. */
  #keptOf(epoch: string, entries: readonly StreamEntry[], unixMs: number): readonly KeptEvent[] {
    let kept: KeptEvent[] = [];
    for (const entry of entries) {
      const stored = this.#deliveryOf(epoch, entry);
      if (stored === undefined) kept = [];
      else if ('event' in stored.delivery) {
        kept.push({ delivery: stored.delivery, ageMs: unixMs - stored.unixMs });
      }
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

  /** Waits for what comes next. */
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

  /** Looks whether the entries still go on from the place, or else begins anew. */
  async #compare(): Promise<void> {
    const { head, entries } = await this.#look(this.#place);
    const before = (entries[0]?.number ?? head.number + 1) - 1;
    if (head.epoch !== this.#place.epoch || before !== this.#place.number) {
      return this.#beginAnew(this.#place);
    }
    this.#isSure = true;
    await this.#handOn(entries);
  }

  /** Begins anew before the oldest entry that is kept after a place, and hands on from there. */
  async #beginAnew(after: StreamPlace): Promise<void> {
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
      if (stored === undefined) return this.#beginAnew(place);
      const taken = this.#take(stored.delivery);
      this.#moveTo(place);
      if (taken !== undefined) await taken;
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

function answerFor(stream: string, answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, stream) : undefined;
}
