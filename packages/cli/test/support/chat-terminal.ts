import { HEARTH, type HearthProcess } from '@hearth/testing/programs/hearth-process';
import type { CommandHere } from './command-here.ts';
import type { Home } from './home.ts';
import { TerminalView } from './terminal-view.ts';

/** Options of a test's chat. */
export interface ChatOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** True for a process on a real terminal; otherwise it runs in the process of the test. */
  readonly isProcess?: boolean;
}

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const CTRL_L = '\u000c';
export const CTRL_Z = '\u001a';
export const ENTER = '\r';
export const LEFT = '\u001b[D';
export const UP = '\u001b[A';

/** Text as a terminal sends it if it marks pasted text. */
export function pasted(text: string): string {
  return `\u001b[200~${text}\u001b[201~`;
}

/** `hearth chat` on a terminal. The real one is for tests of what the system does with it. */
export class ChatTerminal {
  readonly process: HearthProcess | CommandHere;
  readonly #columns: number;

  /** Starts `hearth chat` with these arguments. */
  constructor(home: Home, words: readonly string[], options: ChatOptions = {}) {
    const { env = {}, columns = 200, isProcess = false } = options;
    this.#columns = columns;
    const [command, folder] = [[...HEARTH, 'chat', ...words], home.folder];
    this.process = isProcess
      ? home.launch({ command, folder, env, on: 'terminal', columns })
      : home.here(['chat', ...words], env, { on: 'terminal', columns });
  }

  /** The current content of the terminal. */
  get view(): TerminalView {
    return new TerminalView(this.process.stdout.text, this.#columns);
  }

  type(text: string): void {
    this.process.type(text);
  }

  /** Resolves with the content of the terminal when `isMet`. */
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
