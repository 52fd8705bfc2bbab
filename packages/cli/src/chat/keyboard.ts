import { StringDecoder } from 'node:string_decoder';
import { Transform, type TransformCallback } from 'node:stream';

/**
 * Stand-ins for a line break and a tab in the edited line, in which the real characters would act as keys. Unicode
 * reserves these characters for such uses, so no text contains them.
 */
export const LINE_BREAK = '\uFDDA';
export const TAB = '\uFDD9';

const STAND_INS = /[\uFDD9\uFDDA]/g;
const CONTROL = /\p{Cc}/gu;

const PASTE_BEGIN = '\u001B[200~';
const PASTE_END = '\u001B[201~';
const PASTED_BREAK = /\r\n?|[\n\u2028\u2029]/g;
/** Characters that readline would treat as Enter. */
const TYPED_BREAK = /[\u2028\u2029]/g;
const TAB_KEY = '\t';
const ALT_ENTER = '\u001B\r';

/** Sequences that switch bracketed paste on and off. While it is on, the terminal marks pasted text. */
export const MARK_PASTES = '\u001B[?2004h';
export const MARK_NO_PASTES = '\u001B[?2004l';

/** The input of a terminal. */
export type TerminalInput = Pick<NodeJS.ReadStream, 'setRawMode'>;

/**
 * Translates a terminal's input for readline. Pasted text stays text, whatever it contains. Alt-Enter and tabs become text
 * as well, except a tab that is typed on its own. Readline switches the terminal's raw mode through this stream.
 */
export class Keyboard extends Transform {
  isRaw = false;
  readonly #terminal: TerminalInput;
  readonly #decoder = new StringDecoder('utf8');
  #held = '';
  #isPasting = false;

  constructor(terminal: TerminalInput) {
    super();
    this.#terminal = terminal;
  }

  setRawMode(isRaw: boolean): this {
    this.#terminal.setRawMode(isRaw);
    this.isRaw = isRaw;
    return this;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = this.#held + this.#decoder.write(chunk);
    let keys = '';
    for (;;) {
      const marker = this.#isPasting ? PASTE_END : PASTE_BEGIN;
      const index = rest.indexOf(marker);
      const end = index === -1 ? rest.length - this.#beginningOf(marker, rest) : index;
      keys += this.#translated(rest.slice(0, end));
      rest = rest.slice(end);
      if (index === -1) break;
      rest = rest.slice(marker.length);
      this.#isPasting = !this.#isPasting;
    }
    this.#held = rest;
    if (keys !== '') this.push(keys);
    done();
  }

  #translated(given: string): string {
    // Terminals that do not mark pasted text send its tabs together with the text.
    if (given === TAB_KEY && !this.#isPasting) return given;
    const text = given.replaceAll(STAND_INS, '').replaceAll('\t', TAB);
    return this.#isPasting
      ? text.replaceAll(PASTED_BREAK, LINE_BREAK).replaceAll(CONTROL, '')
      : text.replaceAll(ALT_ENTER, LINE_BREAK).replaceAll(TYPED_BREAK, LINE_BREAK);
  }

  /** The number of characters at the end of `text` that may be the beginning of an incomplete marker. */
  #beginningOf(marker: string, text: string): number {
    // Outside a paste, a single escape is a key.
    const shortest = this.#isPasting ? 1 : 2;
    for (let length = marker.length - 1; length >= shortest; length -= 1) {
      if (text.endsWith(marker.slice(0, length))) return length;
    }
    return 0;
  }
}
