import { whenAborted } from './when-aborted.ts';

/** The most texts that may wait for a slow reader. */
const MOST_WAITING = 10_000;

/** The part of the process's standard output that a writer needs. */
export type OutputStream = Pick<NodeJS.WriteStream, 'write' | 'on'>;

/** Writes as fast as the reader reads, without blocking anything else. */
export class LineWriter {
  readonly #stream: OutputStream;
  readonly #ended = new AbortController();
  #failure: Error | undefined;
  #waiting = 0;

  constructor(stream: OutputStream) {
    this.#stream = stream;
    stream.on('error', (error: Error) => this.#end(error));
  }

  /** Aborts when nothing more can be written. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  write(text: string): void {
    if (this.ended.aborted) return;
    if (this.#waiting >= MOST_WAITING) {
      this.#end(new Error('its reader is too slow'));
      return;
    }
    this.#waiting += 1;
    this.#stream.write(text, (error) => {
      this.#waiting -= 1;
      this.#end(error);
    });
  }

  /**
   * Resolves with the exit code when everything is written or nothing more can be written: 1 after an error, which is
   * printed. A reader that goes away (`| head`) is not an error.
   */
  async finish(warn: (text: string) => void): Promise<number> {
    const written = new Promise<void>((resolve) => {
      this.#stream.write('', (error) => {
        this.#end(error);
        resolve();
      });
    });
    await Promise.race([written, whenAborted(this.ended)]);
    if (this.#failure === undefined) return 0;
    warn(`hearth: cannot write the output: ${this.#failure.message}\n`);
    return 1;
  }

  #end(error: Error | null | undefined): void {
    if (error === null || error === undefined || this.ended.aborted) return;
    const hasNoReader = 'code' in error && error.code === 'EPIPE';
    if (!hasNoReader) this.#failure = error;
    this.#ended.abort();
  }
}
