const ESCAPE = '\u001b';

/** An escape sequence, or else a single character. */
const PIECE = new RegExp(`${ESCAPE}\\[([?\\d;]*)([A-Za-z])|[^]`, 'gu');

/** East Asian characters and emoji, as far as these tests use them. */
const WIDE = /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60\u{1f300}-\u{1faff}]$/u;

/** Simulates the parts of a terminal that a program needs to draw lines. Throws on any other escape sequence. */
export class TerminalView {
  readonly #columns: number;
  /** All rows; none scrolls away. */
  readonly #rows: string[][] = [[]];
  #row = 0;
  #column = 0;
  /** True while bracketed paste is on. */
  marksPastes = false;
  /** True if any text was coloured or bold. */
  hasStyles = false;

  /** A terminal that has received `written`. */
  constructor(written: string, columns = 200) {
    this.#columns = columns;
    for (const [piece, parameters = '', letter] of written.matchAll(PIECE)) {
      if (letter === undefined) this.#put(piece);
      else this.#obey(`${parameters}${letter}`);
    }
  }

  /** The rows, without the spaces at their ends. */
  get rows(): readonly string[] {
    return this.#rows.map((row) => row.join('').trimEnd());
  }

  /** The row of the cursor, with `|` where the cursor is. */
  get cursorRow(): string {
    const row = Array.from(
      { length: this.#columns },
      (_, at) => this.#rows[this.#row]?.[at] ?? ' ',
    );
    const before = row.slice(0, this.#column).join('');
    return `${before}|${row.slice(this.#column).join('')}`.trimEnd();
  }

  #put(character: string): void {
    if (character === '\r') {
      this.#column = 0;
    } else if (character === '\n') {
      this.#goTo(this.#row + 1);
    } else {
      if (/\p{Cc}/u.test(character)) throw new Error(`control: ${JSON.stringify(character)}`);
      this.#print(character);
    }
  }

  #print(character: string): void {
    const width = WIDE.test(character) ? 2 : 1;
    if (this.#column + width > this.#columns) {
      this.#goTo(this.#row + 1);
      this.#column = 0;
    }
    const row = this.#rows[this.#row] ?? [];
    while (row.length < this.#column) row.push(' ');
    row[this.#column] = character;
    if (width === 2) row[this.#column + 1] = '';
    this.#column += width;
  }

  #goTo(row: number): void {
    this.#row = row;
    while (this.#rows.length <= row) this.#rows.push([]);
  }

  #obey(sequence: string): void {
    if (sequence === 'K') {
      this.#rows[this.#row] = (this.#rows[this.#row] ?? []).slice(0, this.#column);
    } else if (/^\d+A$/.test(sequence)) {
      this.#row = Math.max(0, this.#row - Number.parseInt(sequence, 10));
    } else if (sequence === 'H') {
      this.#goTo(0);
      this.#column = 0;
    } else if (sequence === '2J') {
      this.#rows.splice(0, this.#rows.length, []);
      this.#goTo(this.#row);
    } else if (sequence === '?2004h' || sequence === '?2004l') {
      this.marksPastes = sequence.endsWith('h');
    } else if (/^[\d;]*m$/.test(sequence)) {
      this.hasStyles = true;
    } else {
      throw new Error(`unknown to this terminal: ESC[${sequence}`);
    }
  }
}
