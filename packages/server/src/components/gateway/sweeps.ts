import type { LiveStream } from './live-streams.ts';

/** Bytes of one stream that may be published to a socket between two checks of the sockets' buffers. */
export const SWEEP_BYTES = 1_500_000;

/** Tracks which streams' followers have to be checked, because too much may be waiting for them. */
export class Sweeps {
  readonly #mostBytes: number;
  /** Streams that have published since the last check. */
  #published: LiveStream[] = [];
  #bytes = 0;
  #isDue = false;

  /** `mostBytes` is what all streams together may publish in between: a socket may follow all of them. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** True if the sockets have to be checked before more is published. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** The most that a socket following all streams was sent since the last check. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the most that one follower of a stream was sent. */
  count(stream: LiveStream, bytes: number): void {
    if (stream.bytesSinceSweep === 0) this.#published.push(stream);
    stream.bytesSinceSweep += bytes;
    this.#bytes += bytes;
    this.#isDue ||= stream.bytesSinceSweep >= SWEEP_BYTES || this.#bytes >= this.#mostBytes;
  }

  /** Restarts the count, and returns the streams whose followers have to be checked. */
  take(): readonly LiveStream[] {
    const published = this.#published;
    for (const stream of published) stream.bytesSinceSweep = 0;
    [this.#published, this.#bytes, this.#isDue] = [[], 0, false];
    return published;
  }
}
