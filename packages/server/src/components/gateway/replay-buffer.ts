import type { Clock } from '../../clock.ts';
import type { ReplayBounds } from '../../config/config.ts';
import type { StreamPosition } from '../../ports/bus/bus.ts';

interface Entry {
  readonly text: string;
  readonly bytes: number;
  /** In monotonic milliseconds. */
  readonly at: number;
}

/** An event that happened before the buffer knew of it. */
export interface EarlierEvent {
  readonly text: string;
  readonly bytes: number;
  readonly ageMs: number;
}

const MS_A_MINUTE = 60_000;

/**
 * The newest events of the stream in their order, encoded once for all who come back, and where the stream is. Number,
 * age and bytes bound what is kept.
 */
export class ReplayBuffer {
  readonly #bounds: ReplayBounds;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** A ring: the place of an event is the remainder of its position. */
  readonly #ring: (Entry | undefined)[] = [];
  #head: StreamPosition;
  #count = 0;
  #bytes = 0;

  /** Is at `head`, before which nothing is kept. */
  constructor(bounds: ReplayBounds, clock: Pick<Clock, 'monotonicMs'>, head: StreamPosition) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#head = head;
  }

  /** The position of the newest event. */
  get head(): StreamPosition {
    return this.#head;
  }

  /** Whether this point of the stream is the one behind the newest event. */
  isNext({ epoch, position }: StreamPosition): boolean {
    return epoch === this.#head.epoch && position === this.#head.position + 1;
  }

  /** Begins anew at `head`, with the newest of what was up to there, oldest first and without a gap. */
  begin(head: StreamPosition, earlier: readonly EarlierEvent[]): void {
    while (this.#count > 0) this.#dropOldest();
    this.#head = { epoch: head.epoch, position: head.position };
    const { events } = this.#bounds;
    const newest = events === 0 ? [] : earlier.slice(-events);
    const now = this.#clock.monotonicMs();
    for (const [i, { text, bytes, ageMs }] of newest.entries()) {
      const position = head.position - newest.length + 1 + i;
      this.#keep(position, { text, bytes, at: now - Math.max(0, ageMs) });
    }
    this.#trimAt(now);
  }

  /**
   * Adds the next event, of so many bytes. One that is no successor of the newest begins anew: nothing is kept that
   * could not be told in one piece.
   */
  push(next: StreamPosition, text: string, bytes: number): void {
    const { epoch, position } = next;
    const { events } = this.#bounds;
    // Before the head moves, which tells where the oldest is.
    const room = this.isNext(next) ? Math.max(0, events - 1) : 0;
    while (this.#count > room) this.#dropOldest();
    this.#head = { epoch, position };
    if (events === 0) return;
    const now = this.#clock.monotonicMs();
    this.#keep(position, { text, bytes, at: now });
    this.#trimAt(now);
  }

  /** Whether every event behind this point of the stream is kept. */
  hasAllAfter({ epoch, position }: StreamPosition): boolean {
    this.trim();
    const isInStream = epoch === this.#head.epoch && position <= this.#head.position;
    return isInStream && position >= this.#head.position - this.#count;
  }

  /** The event at a position of the present epoch, or undefined where it is not kept. */
  at(position: number): string | undefined {
    const { position: newest } = this.#head;
    if (position > newest || position <= newest - this.#count) return undefined;
    return this.#ring[position % this.#bounds.events]?.text;
  }

  /** Forgets what is too old or too much. */
  trim(): void {
    this.#trimAt(this.#clock.monotonicMs());
  }

  #trimAt(now: number): void {
    const tooOld = now - this.#bounds.minutes * MS_A_MINUTE;
    for (let oldest = this.#oldest(); oldest !== undefined; oldest = this.#oldest()) {
      if (oldest.at >= tooOld && this.#bytes <= this.#bounds.bytes) return;
      this.#dropOldest();
    }
  }

  #keep(position: number, entry: Entry): void {
    this.#ring[position % this.#bounds.events] = entry;
    this.#count += 1;
    this.#bytes += entry.bytes;
  }

  #oldest(): Entry | undefined {
    if (this.#count === 0) return undefined;
    return this.#ring[(this.#head.position - this.#count + 1) % this.#bounds.events];
  }

  #dropOldest(): void {
    const place = (this.#head.position - this.#count + 1) % this.#bounds.events;
    this.#bytes -= this.#ring[place]?.bytes ?? 0;
    this.#ring[place] = undefined;
    this.#count -= 1;
  }
}
