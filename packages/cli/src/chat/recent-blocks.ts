import type { Id } from '@hearth/sdk';

/** Something that was printed on rows of its own. */
export interface Block {
  readonly text: string;
  /** Of the message that it shows. */
  readonly id?: Id | undefined;
}

/** How large a terminal is; undefined or 0 if it does not say. */
export interface TerminalSize {
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

const ESCAPE = '\u001B';

/** More than a terminal has rows. */
const MOST_BLOCKS = 500;

const STYLE = new RegExp(String.raw`${ESCAPE}\[[\d;]*m`, 'g');
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** From here on a character may be a wide one. */
const FIRST_WIDE = 0x1100;

/** What stands right above the line that is typed: it can be printed again as long as nothing else moves it. */
export class RecentBlocks {
  #blocks: Block[] = [];

  add(block: Block): void {
    this.#blocks = [...this.#blocks, block].slice(-MOST_BLOCKS);
  }

  /** It is not known any more where the blocks are. */
  forget(): void {
    this.#blocks = [];
  }

  /**
   * Takes out the block of a message and those below it: gives the latter, and how many rows all of them take. Undefined if
   * that is not certain, or if they are not all in view above one row at the end; then those up to it are forgotten, so
   * that it is not printed again with them.
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

/** How many rows a text takes, if all terminals agree. */
function rowsOf(text: string, columns: number): number | undefined {
  if (columns < 2) return undefined;
  let rowCount = 0;
  for (const line of text.replaceAll(STYLE, '').split('\n')) {
    const { least, most } = widthsOf(line);
    const needed = Math.max(1, Math.ceil(least / columns));
    // A wide character that does not fit leaves a column empty.
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
