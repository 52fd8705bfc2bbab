import type { Clock } from '../../lib/clock.ts';
import type { ReplayBounds } from '../../ports/bus/bus.ts';
import type { StreamPosition } from '../../ports/bus/bus.ts';
import { Queue } from './queue.ts';

interface Entry {
  readonly buffer: ReplayBuffer;
  /** The id of what the event is about, if it has one. */
  readonly id: string | undefined;
  /** The id of what it replies to, if it does. */
  readonly repliesTo: string | undefined;
  /** The id of the channel that it is in, if it is in one. */
  readonly channel: string | undefined;
  /** The ids of what it names besides. */
  readonly names: readonly string[];
  text: string;
  bytes: number;
  /** In monotonic milliseconds. */
  readonly at: number;
  isForgotten: boolean;
}

/** What is known of an event besides its text. */
export interface EventFacts {
  readonly bytes: number;
  /** How long ago it happened, if that was before the buffer received it. */
  readonly ageMs?: number | undefined;
  /** The id of what it is about. */
  readonly id?: string | undefined;
  /** The id of what it replies to. */
  readonly repliesTo?: string | undefined;
  /** The id of the channel that it is in. */
  readonly channel?: string | undefined;
  /** The ids of what it names besides, and may be hidden one day. */
  readonly names?: readonly string[];
}

const MS_A_MINUTE = 60_000;

const NONE: readonly string[] = [];

/**
 * The newest events of all streams together. Number, age and bytes bound what is kept. The oldest event is removed
 * first, so the least recently used stream is the first to be forgotten.
 */
export class Replay {
  readonly #bounds: ReplayBounds;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** In order of arrival, of all streams. */
  readonly #entries = new Queue<Entry>();
  /** Entries that name something, by its id. */
  readonly #naming = new Map<string, Set<Entry>>();
  #count = 0;
  #bytes = 0;

  constructor(bounds: ReplayBounds, clock: Pick<Clock, 'monotonicMs'>) {
    this.#bounds = bounds;
    this.#clock = clock;
  }

  /** A stream at `head`, before which nothing is kept. */
  open(head: StreamPosition): ReplayBuffer {
    return new ReplayBuffer(this, head);
  }

  /** Keeps an event of a stream, if events are kept at all. */
  keep(
    buffer: ReplayBuffer,
    text: string,
    { bytes, ageMs = 0, id, repliesTo, channel, names = NONE }: EventFacts,
  ): Entry | undefined {
    if (this.#bounds.events === 0) return undefined;
    const at = this.#clock.monotonicMs() - Math.max(0, ageMs);
    const entry: Entry = {
      buffer,
      id,
      repliesTo,
      channel,
      names,
      text,
      bytes,
      at,
      isForgotten: false,
    };
    this.#entries.push(entry);
    for (const name of names) this.#naming.getOrInsertComputed(name, () => new Set()).add(entry);
    this.#count += 1;
    this.#bytes += bytes;
    return entry;
  }

  /** Keeps another text in place of an entry's. */
  rewrite(entry: Entry, text: string): void {
    this.#bytes -= entry.bytes;
    entry.text = text;
    entry.bytes = Buffer.byteLength(text);
    this.#bytes += entry.bytes;
  }

  /** Discards an entry that its stream no longer keeps. */
  release(entry: Entry): void {
    entry.isForgotten = true;
    this.#count -= 1;
    this.#bytes -= entry.bytes;
    for (const name of entry.names) {
      const naming = this.#naming.get(name);
      naming?.delete(entry);
      if (naming?.size === 0) this.#naming.delete(name);
    }
  }

  /** Discards every event that names this, and what came before it in its stream. */
  forgetNaming(name: string): void {
    for (const entry of this.#naming.get(name) ?? []) {
      while (!entry.isForgotten) entry.buffer.forgetOldest();
    }
  }

  /** Discards what is too old or too much. */
  trim(): void {
    const { events, minutes, bytes } = this.#bounds;
    const tooOld = this.#clock.monotonicMs() - minutes * MS_A_MINUTE;
    for (let oldest = this.#entries.at(0); oldest !== undefined; oldest = this.#entries.at(0)) {
      if (!oldest.isForgotten) {
        const fits = this.#count <= events && this.#bytes <= bytes;
        if (fits && oldest.at >= tooOld) return;
        oldest.buffer.forgetOldest();
      }
      this.#entries.shift();
    }
  }
}

/** The newest events of one stream in order, encoded once for all clients that come back, and the stream's position. */
export class ReplayBuffer {
  readonly #replay: Replay;
  readonly #entries = new Queue<Entry>();
  #head: StreamPosition;

  constructor(replay: Replay, head: StreamPosition) {
    this.#replay = replay;
    this.#head = head;
  }

  /** The position of the newest event. */
  get head(): StreamPosition {
    return this.#head;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Whether the newest event comes right before this point of the stream. */
  isNext({ epoch, position }: StreamPosition): boolean {
    return epoch === this.#head.epoch && position === this.#head.position + 1;
  }

  /** Starts again at `head`, before which nothing is kept. */
  begin({ epoch, position }: StreamPosition): void {
    while (!this.isEmpty) this.forgetOldest();
    this.#head = { epoch, position };
  }

  /**
   * Adds the next event. If it does not directly follow the newest one, the buffer starts again: nothing is kept that
   * could not be sent without a gap.
   */
  push(next: StreamPosition, text: string, facts: EventFacts): void {
    const { epoch, position } = next;
    if (this.isNext(next)) this.#head = { epoch, position };
    else this.begin(next);
    const entry = this.#replay.keep(this, text, facts);
    if (entry === undefined) return;
    this.#entries.push(entry);
    this.#replay.trim();
  }

  /** Whether every event after this point of the stream is kept. */
  hasAllAfter({ epoch, position }: StreamPosition): boolean {
    this.trim();
    const isInStream = epoch === this.#head.epoch && position <= this.#head.position;
    return isInStream && position >= this.#head.position - this.#entries.length;
  }

  /** The event at a position of the present epoch, or undefined if it is not kept. */
  at(position: number): string | undefined {
    const index = position - (this.#head.position - this.#entries.length + 1);
    return index < 0 ? undefined : this.#entries.at(index)?.text;
  }

  /**
   * Keeps another text in place of each event for which `textFor` gives one, among those about this id, about a reply to it and
   * in the channel with this id.
   */
  rewrite(id: string, textFor: (text: string, position: number) => string | undefined): void {
    const first = this.#head.position - this.#entries.length + 1;
    for (let index = 0; index < this.#entries.length; index += 1) {
      const entry = this.#entries.at(index);
      if (entry === undefined) continue;
      if (entry.id !== id && entry.repliesTo !== id && entry.channel !== id) continue;
      const text = textFor(entry.text, first + index);
      if (text !== undefined) this.#replay.rewrite(entry, text);
    }
  }

  /** Discards what is too old or too much, of all streams. */
  trim(): void {
    this.#replay.trim();
  }

  /** Discards the oldest event. */
  forgetOldest(): void {
    const oldest = this.#entries.shift();
    if (oldest !== undefined) this.#replay.release(oldest);
  }
}
