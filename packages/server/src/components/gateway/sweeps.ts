import type { LiveStream } from './live-streams.ts';

/** Bytes of one stream that a socket may be published between two looks at the sockets' buffers. */
export const SWEEP_BYTES = 1_500_000;

/** Knows when the followers of which streams have to be looked at, because too much may wait for them. */
export class Sweeps {
  readonly #mostBytes: number;
  /** Those that published since the last look. */
  #published: LiveStream[] = [];
  #bytes = 0;
  #isDue = false;

  /** `mostBytes` is what all streams together may publish in between: a socket may follow all of them. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Whether the sockets have to be looked at before more is published. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** What a socket that follows all streams was sent since the last look at most. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts what one follower of a stream was sent at most. */
  count(stream: LiveStream, bytes: number): void {
    if (stream.bytesSinceSweep === 0) this.#published.push(stream);
    stream.bytesSinceSweep += bytes;
    this.#bytes += bytes;
    this.#isDue ||= stream.bytesSinceSweep >= SWEEP_BYTES || this.#bytes >= this.#mostBytes;
  }

  /** Begins to count anew, and answers the streams whose followers are to be looked at. */
  take(): readonly LiveStream[] {
    const published = this.#published;
    for (const stream of published) stream.bytesSinceSweep = 0;
    [this.#published, this.#bytes, this.#isDue] = [[], 0, false];
    return published;
  }
}
