import { S3Error } from './s3-error.ts';
import type { S3Bytes, S3Requests } from './s3-requests.ts';

/** The number of times in a row that a connection may break before the first byte. */
const ATTEMPTS = 2;

/** The object and the bytes to read. */
export interface S3Range {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads an object on demand; nothing is requested from S3 before the first read. Continues if the connection breaks, or
 * if it was given to others because the reader paused. Ends with all bytes or with an error, which is also passed to
 * `onFailure`.
 */
export function readObject(
  requests: S3Requests,
  range: S3Range,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reading = new Reading(requests, range);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await reading.next();
          if (chunk !== undefined) controller.enqueue(chunk);
          if (reading.isAtEnd) controller.close();
        } catch (error) {
          if (!reading.isCancelled) onFailure(error);
          throw error;
        }
      },
      cancel: () => reading[Symbol.dispose](),
    },
    { highWaterMark: 0 },
  );
}

class Reading implements Disposable {
  readonly #requests: S3Requests;
  readonly #key: string;
  readonly #end: number;
  #at: number;
  #source: S3Bytes | undefined;
  isCancelled = false;

  constructor(requests: S3Requests, { key, start, end }: S3Range) {
    this.#requests = requests;
    this.#key = key;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /** The next bytes; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.isAtEnd) return undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const chunk = (await this.#take()).subarray(0, this.#end - this.#at);
        this.#at += chunk.byteLength;
        if (this.isAtEnd) this.#letGo();
        return chunk;
      } catch (error) {
        this.#letGo();
        const isWorthIt = error instanceof S3Error && error.hasBroken;
        if (!isWorthIt || attempt === ATTEMPTS || this.isCancelled) throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    this.isCancelled = true;
    this.#letGo();
  }

  async #take(): Promise<Uint8Array> {
    if (this.#source?.isOver === true) this.#letGo();
    this.#source ??= await this.#requests.read(this.#key, { start: this.#at, end: this.#end });
    // A cancelled reader must not get a new connection, because nobody would release it.
    if (this.isCancelled) throw new Error('the reader has gone');
    const chunk = await this.#source.next();
    if (chunk !== undefined) return chunk;
    throw new S3Error(`S3 sent fewer bytes than requested by GET ${this.#key}`, 'unknown');
  }

  #letGo(): void {
    this.#source?.[Symbol.dispose]();
    this.#source = undefined;
  }
}
