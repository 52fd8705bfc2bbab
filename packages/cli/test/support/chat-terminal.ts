import { HEARTH, type HearthProcess } from '@hearth/testing/programs/hearth-process';
import type { Home } from './home.ts';
import { TerminalView } from './terminal-view.ts';

/** How a chat of a test is. */
export interface ChatOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const CTRL_L = '\u000c';
export const CTRL_Z = '\u001a';
export const ENTER = '\r';
export const LEFT = '\u001b[D';
export const UP = '\u001b[A';

/** Text as a terminal gives it that marks what is pasted. */
export function pasted(text: string): string {
  return `\u001b[200~${text}\u001b[201~`;
}

/** `hearth chat` on a terminal. */
export class ChatTerminal {
  readonly process: HearthProcess;
  readonly #columns: number;

  /** Starts it with these words behind `chat`. */
  constructor(home: Home, words: readonly string[], { env = {}, columns = 200 }: ChatOptions = {}) {
    this.#columns = columns;
    const command = [...HEARTH, 'chat', ...words];
    this.process = home.launch({ command, folder: home.folder, env, on: 'terminal', columns });
  }

  /** What the terminal shows now. */
  get view(): TerminalView {
    return new TerminalView(this.process.stdout.text, this.#columns);
  }

  type(text: string): void {
    this.process.type(text);
  }

  /** Resolves with what the terminal shows when `isMet`. */
  async sees(isMet: (view: TerminalView) => boolean): Promise<TerminalView> {
    await this.process.stdout.until(() => isMet(this.view));
    return this.view;
  }

  /** Resolves when a row ends with `text`. */
  seesRow(text: string): Promise<TerminalView> {
    return this.sees(({ rows }) => rows.some((row) => row.endsWith(text)));
  }

  /** Resolves when the row of the cursor is `row`, with `|` for the cursor. */
  seesPrompt(row: string): Promise<TerminalView> {
    return this.sees(({ cursorRow }) => cursorRow === row);
  }
}
