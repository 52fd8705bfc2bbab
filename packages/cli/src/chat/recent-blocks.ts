import type { Id } from '@hearth/sdk';

/** A text that was printed on its own rows. */
export interface Block {
  readonly text: string;
  /** The id of the message that it shows. */
  readonly id?: Id | undefined;
}

/** The size of a terminal; undefined or 0 if it does not report it. */
export interface TerminalSize {
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

const ESCAPE = '\u001B';

/** More than a terminal has rows. */
const MOST_BLOCKS = 500;

/** A style, or the beginning or end of a link. */
const STYLE = new RegExp(String.raw`${ESCAPE}(?:\[[\d;]*m|\]8;;[!-~]*?${ESCAPE}\\)`, 'g');
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** From here on a character may be a wide one. */
const FIRST_WIDE = 0x1100;

/** The blocks right above the prompt. They can be printed again as long as nothing else has moved them. */
export class RecentBlocks {
  #blocks: Block[] = [];

  add(block: Block): void {
    this.#blocks = [...this.#blocks, block].slice(-MOST_BLOCKS);
  }

  /** Forgets all blocks, because their places are no longer known. */
  forget(): void {
    this.#blocks = [];
  }

  /**
   * Takes out the block of a message and those below it. Returns the blocks below and the number of rows of all of them.
   * Returns undefined if that number is not certain, or if the blocks and one more row do not fit on the terminal. In that
   * case, the block and those above it are forgotten, so that it is not printed again with them.
   */
  takeFrom(
    id: Id,
    { columns = 0, rows = 0 }: TerminalSize,
  ): { readonly below: readonly Block[]; readonly rowCount: number } | undefined {
    const at = this.#blocks.findIndex((block) => block.id === id);
    if (at === -1) return undefined;
    const above = this.#blocks.slice(0, at);
    const taken = this.#blocks.slice(at);
    const below = taken.slice(1);
    let rowCount = 0;
    for (const { text } of taken) rowCount += rowsOf(text, columns) ?? rows;
    const isCertain = rowCount < rows;
    this.#blocks = isCertain ? above : below;
    return isCertain ? { below, rowCount } : undefined;
  }
}

/** The number of rows that a text takes; undefined if terminals may differ. */
function rowsOf(text: string, columns: number): number | undefined {
  if (columns < 2) return undefined;
  let rowCount = 0;
  for (const line of text.replaceAll(STYLE, '').split('\n')) {
    const { least, most } = widthsOf(line);
    const needed = Math.max(1, Math.ceil(least / columns));
    // A wide character that does not fit at the end of a row leaves a column empty.
    if (least !== most && Math.ceil(most / (columns - 1)) > needed) return undefined;
    rowCount += needed;
  }
  return rowCount;
}

function widthsOf(line: string): { readonly least: number; readonly most: number } {
  let least = 0;
  let most = 0;
  for (const character of line) {
    const isZero = ZERO_WIDTH.test(character);
    const mayBeWide = (character.codePointAt(0) ?? 0) >= FIRST_WIDE;
    least += isZero ? 0 : 1;
    most += mayBeWide ? 2 : 1;
  }
  return { least, most };
}
