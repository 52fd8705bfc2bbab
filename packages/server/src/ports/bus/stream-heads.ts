import type { Heads, StreamName, StreamPosition } from './bus.ts';

/** The number of streams for which the bus remembers positions, besides the one with a journal. */
export const MOST_STREAMS = 65_536;

/** The point from which the positions of streams start. */
export interface StreamHeadsOptions {
  /** The epoch of all streams together. It ends when the bus loses its memory. */
  readonly epoch: string;
  /** The stream that is never forgotten. */
  readonly journaled: StreamName;
  readonly most?: number;
  /** The number of streams that were forgotten in this epoch. */
  readonly forgotten?: number;
}

/**
 * The position of every stream. If there are too many, the least recently used one is forgotten, and begins a new epoch
 * if it is used again: the name of an epoch contains how many streams had been forgotten when it began, and that number
 * has grown by then. So unknown streams have a position, too, and everyone who has seen all publications computes the
 * same one.
 */
export class StreamHeads implements Heads {
  readonly #options: Required<StreamHeadsOptions>;
  /** In order of use, the least recently used first. */
  readonly #heads = new Map<StreamName, StreamPosition>();
  #journaled: StreamPosition;
  #newest: StreamName | undefined;
  #forgotten: number;

  constructor(options: StreamHeadsOptions) {
    this.#options = { most: MOST_STREAMS, forgotten: 0, ...options };
    this.#journaled = { epoch: options.epoch, position: 0 };
    this.#forgotten = this.#options.forgotten;
  }

  /** The epoch of all streams together. */
  get epoch(): string {
    return this.#options.epoch;
  }

  /** The position of a stream. */
  at(stream: StreamName): StreamPosition {
    if (stream === this.#options.journaled) return this.#journaled;
    return this.#heads.get(stream) ?? { epoch: epochOf(this.epoch, this.#forgotten), position: 0 };
  }

  /** Moves a stream to its next position. */
  advance(stream: StreamName): StreamPosition {
    const { epoch, position } = this.at(stream);
    return this.#put(stream, { epoch, position: position + 1 });
  }

  /** Notes the position of a stream, which counts as a use. */
  set(stream: StreamName, at: StreamPosition): void {
    this.#put(stream, { epoch: at.epoch, position: at.position });
  }

  #put(stream: StreamName, head: StreamPosition): StreamPosition {
    if (stream === this.#options.journaled) return (this.#journaled = head);
    if (stream !== this.#newest) this.#heads.delete(stream);
    this.#heads.set(stream, head);
    this.#newest = stream;
    if (this.#heads.size > this.#options.most) this.#forgetOldest();
    return head;
  }

  /** A copy that somebody else keeps up to date. */
  copy(): StreamHeads {
    const copy = new StreamHeads({ ...this.#options, forgotten: this.#forgotten });
    copy.#journaled = this.#journaled;
    for (const [stream, head] of this.#heads) copy.#heads.set(stream, head);
    return copy;
  }

  #forgetOldest(): void {
    for (const oldest of this.#heads.keys()) {
      this.#heads.delete(oldest);
      this.#forgotten += 1;
      return;
    }
  }
}

/** The epoch of a stream that began when this many streams had been forgotten. */
export function epochOf(epoch: string, forgotten: number | string): string {
  return `${epoch}-${forgotten}`;
}
