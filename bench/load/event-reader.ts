import { TEXT_FRAME } from './frame.ts';

/** Counts the events that a gateway sends to one listener. */
export interface EventReader {
  /** Returns how many events ended in these bytes. Throws if the bytes are not what was expected. */
  take(chunk: Buffer): number;
}

/** Counts events that are all the same frame. It compares only the first one. */
export class SameEventReader implements EventReader {
  readonly #frame: Buffer;
  /** Received bytes of the current frame. */
  #partBytes = 0;
  #isCompared = false;

  constructor(frame: Buffer) {
    this.#frame = frame;
  }

  take(chunk: Buffer): number {
    if (this.#partBytes === 0 && chunk[0] !== TEXT_FRAME) {
      throw new Error('the gateway sent something other than an event');
    }
    if (!this.#isCompared) this.#compare(chunk);
    const bytes = this.#partBytes + chunk.byteLength;
    this.#partBytes = bytes % this.#frame.byteLength;
    return Math.floor(bytes / this.#frame.byteLength);
  }

  #compare(chunk: Buffer): void {
    const part = chunk.subarray(0, this.#frame.byteLength - this.#partBytes);
    const end = this.#partBytes + part.byteLength;
    this.#isCompared = end === this.#frame.byteLength;
    if (part.equals(this.#frame.subarray(this.#partBytes, end))) return;
    throw new Error(`the gateway sent something other than the event: ${part.toString()}`);
  }
}
