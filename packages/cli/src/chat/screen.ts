import type { ReceivedMessage } from '@hearth/sdk';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Surroundings } from '../command.ts';
import { inLine, printable } from '../text.ts';
import { Completer } from './completion.ts';
import type { Face } from './face.ts';
import { Keyboard, LINE_BREAK, MARK_NO_PASTES, MARK_PASTES, TAB } from './keyboard.ts';
import type { TextStyle } from './message-text.ts';
import { promptLine } from './prompt-line.ts';
import { RecentBlocks, type Block } from './recent-blocks.ts';
import { TerminalFormat } from './terminal-format.ts';
import { canLink } from './terminal-links.ts';

const BELL = '\u0007';
const CLEAR_LINE = '\r\u001B[K';
const CLEAR_SCREEN = '\u001B[H\u001B[2J';

/** The number of names that Tab completes. */
const MOST_NAMES = 200;

/** A key, as readline reports it. */
interface Key {
  readonly name?: string;
  readonly ctrl: boolean;
}

/**
 * A chat on a terminal: messages, and below them the line that is being typed. Readline edits that line but does not draw
 * it. The screen does, so that it can draw the line again below each new message.
 */
export class Screen implements Face {
  readonly isInteractive = true;
  readonly typed: AsyncIterator<string, undefined>;
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #keyboard: Keyboard;
  readonly #editor: Interface;
  readonly #format: TerminalFormat;
  readonly #left = new AbortController();
  readonly #recent = new RecentBlocks();
  readonly #completer = new Completer();
  /** The names of people who have written, the last one first. */
  #names: readonly string[] = [];
  #places: () => readonly string[] = () => [];
  #onTyping: (line: string) => void = () => undefined;
  #columns: number;
  #prompt = '';
  #isDrawing = false;
  #isOver = false;

  /** `idOf` finds the id of the instance's file at an address. */
  constructor({ streams: { stdin, stdout }, env }: Surroundings, idOf: TextStyle['idOf']) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#columns = stdout.columns;
    this.#format = new TerminalFormat({
      isColoured: (env['NO_COLOR'] ?? '') === '',
      hasLinks: canLink(env),
      idOf,
    });
    this.#keyboard = new Keyboard(stdin);
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const completer = (text: string) => this.#complete(text);
    this.#editor = createInterface({ input: this.#keyboard, output, terminal: true, completer });
    this.typed = this.#lines();
    this.#listen();
  }

  get left(): AbortSignal {
    return this.#left.signal;
  }

  setPrompt(prompt: string): void {
    if (prompt === this.#prompt) return;
    this.#prompt = prompt;
    this.#drawSoon();
  }

  show(message: ReceivedMessage, receivedAtMs: number): void {
    const day = this.#format.dayLine(message, receivedAtMs);
    if (day !== undefined) this.#printAbove({ text: day });
    const others = this.#names.filter((name) => name !== message.author);
    this.#names = [message.author, ...others].slice(0, MOST_NAMES);
    this.#printAbove({ text: this.#format.message(message, receivedAtMs), id: message.id });
  }

  update(message: ReceivedMessage, receivedAtMs: number): void {
    const text = this.#format.edited(message, receivedAtMs);
    this.#printInPlaceOf(message, { text, id: message.id });
  }

  remove(message: ReceivedMessage, receivedAtMs: number): void {
    this.#printInPlaceOf(message, { text: this.#format.removal(message, receivedAtMs) });
  }

  notice(text: string): void {
    this.#printAbove({ text: this.#format.notice(text) });
  }

  setPlaces(places: () => readonly string[]): void {
    this.#places = places;
  }

  onTyping(listener: (line: string) => void): void {
    this.#onTyping = listener;
  }

  ring(): void {
    this.#stdout.write(BELL);
  }

  clear(): void {
    this.#recent.forget();
    this.#stdout.write(CLEAR_SCREEN);
    this.#drawSoon();
  }

  async finish(): Promise<number> {
    this.#editor.close();
    await new Promise<void>((resolve) => this.#stdout.write('', () => resolve()));
    return 0;
  }

  #complete(text: string): [string[], string] {
    // The editor can be changed when it has handled the key.
    setImmediate(() => {
      const { line, cursor } = this.#editor;
      if (this.#isOver || line.slice(0, cursor) !== text) return;
      const completion = this.#completer.complete(text, this.#names.map(inLine), this.#places());
      if (completion.listed !== '') this.notice(completion.listed);
      this.#replaceBeforeCursor(text, completion.text ?? `${text}${TAB}`);
    });
    // The editor itself cannot go through several words.
    return [[], text];
  }

  #replaceBeforeCursor(text: string, next: string): void {
    const isLonger = next.startsWith(text);
    if (!isLonger) this.#editor.write(null, { ctrl: true, name: 'u' });
    const added = isLonger ? next.slice(text.length) : next;
    if (added !== '') this.#editor.write(added);
    this.#drawSoon();
  }

  #lines(): AsyncIterator<string, undefined> {
    const lines = new ReadableStream<string>({
      start: (controller) => {
        this.#editor.on('line', (line) => {
          controller.enqueue(line.replaceAll(LINE_BREAK, '\n').replaceAll(TAB, '\t').trimEnd());
        });
        this.#editor.on('close', () => {
          this.#restoreTerminal();
          controller.close();
        });
      },
    });
    return lines[Symbol.asyncIterator]();
  }

  #listen(): void {
    const leave = () => this.#left.abort();
    this.#editor.on('SIGINT', leave);
    this.#editor.on('SIGTSTP', () => this.#suspend());
    this.#stdout.on('error', leave);
    this.#stdout.on('resize', this.#resized);
    this.#keyboard.on('keypress', (_text, { ctrl, name }: Key) => {
      if (ctrl && name === 'l') this.clear();
      this.#onTyping(this.#editor.line);
      this.#drawSoon();
    });
    this.#stdin.pipe(this.#keyboard);
    this.#stdout.write(MARK_PASTES);
  }

  /** Ctrl-Z: suspends the whole process group, as the shell expects, and continues with it. */
  #suspend(): void {
    this.#recent.forget();
    this.#keyboard.setRawMode(false);
    this.#stdout.write(`${CLEAR_LINE}${MARK_NO_PASTES}`);
    process.kill(0, 'SIGTSTP');
    // This runs when the process continues.
    setImmediate(() => {
      if (this.#isOver) return;
      this.#keyboard.setRawMode(true);
      this.#stdout.write(`${MARK_PASTES}${this.#drawn()}`);
    });
  }

  #restoreTerminal(): void {
    this.#isOver = true;
    this.#recent.forget();
    this.#stdin.unpipe(this.#keyboard);
    this.#stdout.off('resize', this.#resized);
    this.#stdout.write(`${CLEAR_LINE}${MARK_NO_PASTES}`);
  }

  /** Prints in the place of the message if that is known, otherwise below. Rows that have scrolled away cannot change. */
  #printInPlaceOf({ id }: ReceivedMessage, block: Block): void {
    const { columns, rows } = this.#stdout;
    const taken = id && this.#recent.takeFrom(id, { columns, rows });
    if (taken) this.#stdout.write(erased(taken.rowCount));
    this.#printAbove(block, ...(taken ? taken.below : []));
  }

  #printAbove(...blocks: readonly Block[]): void {
    const text = blocks.map((block) => `${block.text}\n`).join('');
    if (this.#isOver) {
      this.#stdout.write(text);
      return;
    }
    for (const block of blocks) this.#recent.add(block);
    this.#stdout.write(`${CLEAR_LINE}${text}${this.#drawn()}`);
  }

  readonly #resized = (): void => {
    // Some terminals wrap their rows again, others do not.
    if (this.#stdout.columns !== this.#columns) this.#recent.forget();
    this.#columns = this.#stdout.columns;
    this.#drawSoon();
  };

  // Many keys may arrive at once, so they are drawn together.
  readonly #drawSoon = (): void => {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    queueMicrotask(() => {
      this.#isDrawing = false;
      if (!this.#isOver) this.#stdout.write(this.#drawn());
    });
  };

  #drawn(): string {
    const { line, cursor } = this.#editor;
    const { beforeCursor, afterCursor } = promptLine({
      prompt: printable(this.#prompt),
      line: shown(line),
      cursor,
      columns: this.#stdout.columns,
    });
    // Only the terminal knows the width of a text. Writing the text again moves the cursor to its end.
    const back = afterCursor === '' ? '' : `${afterCursor}\r${beforeCursor}`;
    return `${CLEAR_LINE}${beforeCursor}${back}`;
  }
}

/** Moves up by this many rows and erases them one by one, because multiplexers keep rows that are erased at once. */
function erased(rowCount: number): string {
  const up = `\r\u001B[${rowCount}A`;
  return `${up}${`${CLEAR_LINE}\n`.repeat(rowCount)}${CLEAR_LINE}${up}`;
}

/** The edited line as it is shown. Each character stays one character. */
function shown(line: string): string {
  return printable(line.replaceAll(LINE_BREAK, '↵').replaceAll(TAB, '→'));
}
