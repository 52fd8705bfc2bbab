import { leavesOpen, mayEnd } from './spoilers.ts';
import { Steps } from './steps.ts';

interface OpenSpoilersOptions {
  /** True if the text goes on: then a spoiler without an end covers the rest of it. */
  readonly isBeginning?: boolean;
  readonly steps?: Steps;
}

/** Follows the lines of a text: a spoiler that begins in one of them may cover lines after it. */
export class OpenSpoilers {
  readonly #lines: readonly string[];
  readonly #isBeginning: boolean;
  readonly #steps: Steps;
  #isOpen = false;
  /** The first line from the last one that was looked at that has bars. */
  #barsAt = 0;

  constructor(
    lines: readonly string[],
    { isBeginning = false, steps = new Steps(Infinity) }: OpenSpoilersOptions = {},
  ) {
    this.#lines = lines;
    this.#isBeginning = isBeginning;
    this.#steps = steps;
  }

  /** The text that may have begun a spoiler is over. */
  end(): void {
    this.#isOpen = false;
  }

  /** Adds a line to the text. */
  add(words: string): void {
    this.#steps.take(3 * words.length);
    this.#isOpen = leavesOpen(words, this.#isOpen);
  }

  /** Checks whether a spoiler covers the beginning of the line at a place, whatever it begins with. */
  covers(at: number): boolean {
    return this.#isOpen && this.#willEnd(at);
  }

  /** Checks whether a spoiler begins in what stands alone before the line at a place, and ends after it. */
  leaveOpen(words: string, at: number): boolean {
    this.#steps.take(3 * words.length);
    return leavesOpen(words, false) && this.#willEnd(at);
  }

  /** Only the next bars decide. */
  #willEnd(from: number): boolean {
    const start = Math.max(this.#barsAt, from);
    let at = start;
    while (at < this.#lines.length && this.#lines[at]?.includes('||') !== true) at += 1;
    this.#steps.take(1 + at - start);
    this.#barsAt = at;
    const line = this.#lines[at]?.trim();
    return line === undefined ? this.#isBeginning : mayEnd(line, line.indexOf('||'));
  }
}
