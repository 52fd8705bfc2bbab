import type { Clock } from '../../lib/clock.ts';
import type { BusEvent, ReplayBounds, StreamPosition } from '../../ports/bus/bus.ts';
import { replayedOf, type ReplayedEvent } from './replayed-event.ts';
import { Queue } from './queue.ts';

interface Entry {
  readonly buffer: ReplayBuffer;
  event: ReplayedEvent;
  /** Names of what may be hidden one day. */
  readonly names: readonly string[];
  bytes: number;
  /** In monotonic milliseconds. */
  readonly at: number;
  isForgotten: boolean;
}

/** An event to be kept. */
export interface Keeping {
  readonly event: BusEvent;
  /** As clients are sent it. */
  readonly text: string;
  readonly bytes: number;
  /** The time since it happened, if that was before the buffer received it. */
  readonly ageMs?: number | undefined;
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
  keep(buffer: ReplayBuffer, { event, text, bytes, ageMs = 0 }: Keeping): Entry | undefined {
    if (this.#bounds.events === 0) return undefined;
    const at = this.#clock.monotonicMs() - Math.max(0, ageMs);
    const names = event.note?.names ?? NONE;
    const kept = replayedOf(event, text);
    const entry: Entry = { buffer, event: kept, names, bytes, at, isForgotten: false };
    this.#entries.push(entry);
    for (const name of names) this.#naming.getOrInsertComputed(name, () => new Set()).add(entry);
    this.#count += 1;
    this.#bytes += bytes;
    return entry;
  }

  /** Keeps another event in place of an entry's. */
  rewrite(entry: Entry, { event, text }: Pick<Keeping, 'event' | 'text'>): void {
    this.#bytes -= entry.bytes;
    entry.event = replayedOf(event, text);
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

  get head(): StreamPosition {
    return this.#head;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Returns whether the newest event comes right before this point of the stream. */
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
  push(next: StreamPosition, keeping: Keeping): void {
    const { epoch, position } = next;
    if (this.isNext(next)) this.#head = { epoch, position };
    else this.begin(next);
    const entry = this.#replay.keep(this, keeping);
    if (entry === undefined) return;
    this.#entries.push(entry);
    this.#replay.trim();
  }

  /** Returns whether every event after this point of the stream is kept. */
  hasAllAfter({ epoch, position }: StreamPosition): boolean {
    this.trim();
    const isInStream = epoch === this.#head.epoch && position <= this.#head.position;
    return isInStream && position >= this.#head.position - this.#entries.length;
  }

  /** The event at a position of the present epoch, or undefined if it is not kept. */
  at(position: number): string | undefined {
    const index = position - (this.#head.position - this.#entries.length + 1);
    return index < 0 ? undefined : this.#entries.at(index)?.event.text;
  }

  /** Keeps another event in place of each for which `after` returns one, as `encode` makes its text. */
  rewrite(
    after: (kept: ReplayedEvent) => BusEvent | undefined,
    encode: (event: BusEvent, position: number) => string,
  ): void {
    const first = this.#head.position - this.#entries.length + 1;
    for (let index = 0; index < this.#entries.length; index += 1) {
      const entry = this.#entries.at(index);
      const event = entry && after(entry.event);
      if (entry === undefined || event === undefined) continue;
      this.#replay.rewrite(entry, { event, text: encode(event, first + index) });
    }
  }

  /** Discards what is too old or too much, of all streams. */
  trim(): void {
    this.#replay.trim();
  }

  forgetOldest(): void {
    const oldest = this.#entries.shift();
    if (oldest !== undefined) this.#replay.release(oldest);
  }
}
