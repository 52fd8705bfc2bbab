import { StringDecoder } from 'node:string_decoder';
import { Transform, type TransformCallback } from 'node:stream';

/**
 * Characters that stand for a line break and a tab within the line that is edited, where the real ones would be keys:
 * Unicode keeps them for uses like this, so that no text has them.
 */
export const LINE_BREAK = '\uFDDA';
export const TAB = '\uFDD9';

const STAND_INS = /[\uFDD9\uFDDA]/g;
const CONTROL = /\p{Cc}/gu;

const PASTE_BEGIN = '\u001B[200~';
const PASTE_END = '\u001B[201~';
const PASTED_BREAK = /\r\n?|[\n\u2028\u2029]/g;
/** What readline would take for an Enter. */
const TYPED_BREAK = /[\u2028\u2029]/g;
const ALT_ENTER = '\u001B\r';

/** Asks a terminal to mark what is pasted, and not to. */
export const MARK_PASTES = '\u001B[?2004h';
export const MARK_NO_PASTES = '\u001B[?2004l';

/** The terminal's side that is read. */
export type TerminalInput = Pick<NodeJS.ReadStream, 'setRawMode'>;

/**
 * What comes from a terminal, for readline: what is pasted is text, whatever is in it, and Alt-Enter and tabs are text
 * too. Readline switches the terminal's raw mode through it.
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
    const text = given.replaceAll(STAND_INS, '').replaceAll('\t', TAB);
    return this.#isPasting
      ? text.replaceAll(PASTED_BREAK, LINE_BREAK).replaceAll(CONTROL, '')
      : text.replaceAll(ALT_ENTER, LINE_BREAK).replaceAll(TYPED_BREAK, LINE_BREAK);
  }

  /** How many characters at the end of `text` may be the beginning of a marker whose rest is still to come. */
  #beginningOf(marker: string, text: string): number {
    // Outside of a paste a lone escape is a key.
    const shortest = this.#isPasting ? 1 : 2;
    for (let length = marker.length - 1; length >= shortest; length -= 1) {
      if (text.endsWith(marker.slice(0, length))) return length;
    }
    return 0;
  }
}
