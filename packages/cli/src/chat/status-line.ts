import type { Surroundings } from '../command.ts';

const CLEAR_LINE = '\r\u001B[K';

/** Returns whether the stream is a terminal whose cursor can be moved. */
export function canMoveCursor(
  stream: { readonly isTTY: boolean },
  env: Surroundings['env'],
): boolean {
  return stream.isTTY && env['TERM'] !== 'dumb';
}

/** A line on standard error that shows progress. Nothing is written if standard error is not a terminal. */
export class StatusLine implements Disposable {
  readonly #write: (text: string) => void;
  readonly #columns: () => number;
  readonly #isShown: boolean;
  #text = '';

  constructor({ env, streams: { stderr }, warn }: Surroundings) {
    this.#isShown = canMoveCursor(stderr, env);
    this.#columns = () => stderr.columns;
    this.#write = warn;
  }

  show(text: string): void {
    if (!this.#isShown || text === this.#text) return;
    this.#text = text;
    // Half of the columns, because characters may be wide and only one row can be cleared.
    const shown = Array.from(text).slice(0, this.#columns() / 2);
    this.#write(`${CLEAR_LINE}${shown.join('')}`);
  }

  clear(): void {
    if (this.#text !== '') this.#write(CLEAR_LINE);
    this.#text = '';
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
