import { join } from 'node:path';
import { testRun } from '../test-run.ts';
import { Lines } from './lines.ts';

/** The repository's folder. */
export const ROOT = join(import.meta.dir, '../../../..');

/** The command line of the sources, without arguments. */
export const SOURCES = [process.execPath, join(ROOT, 'packages/cli/src/main.ts')];

/** The command line without arguments: that of the bundle of the run, or else that of the sources. */
export const HEARTH = testRun.program === undefined ? SOURCES : [process.execPath, testRun.program];

/** The program, and how it is run. */
export interface Launch {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** On a terminal, standard output and standard error are the same. */
  readonly on?: 'pipes' | 'terminal';
  /** The width of the terminal; the default is 200 columns. */
  readonly columns?: number;
  /** True if standard input is a pipe that the test writes to; otherwise there is none. */
  readonly hasInput?: boolean;
  /** True if it leads a process group; otherwise the processes of a package script outlive the script. */
  readonly leadsGroup?: boolean;
}

/** The end of a process, and everything that it printed. */
export interface Ending {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the real program. Disposal kills it, and its group if it leads one. */
export class HearthProcess implements AsyncDisposable {
  readonly stdout = new Lines();
  readonly stderr = new Lines();
  /** Resolves when the process is gone and its output is read. */
  readonly ended: Promise<Ending>;
  readonly #process: Bun.Subprocess;
  readonly #leadsGroup: boolean;

  constructor(launch: Launch) {
    const { command, folder, env, on = 'pipes', leadsGroup = false, hasInput = false } = launch;
    this.#leadsGroup = leadsGroup;
    const common = { cwd: folder, env: { ...env }, detached: leadsGroup };
    if (on === 'terminal') {
      const data = (_terminal: Bun.Terminal, bytes: Uint8Array) => this.stdout.push(bytes);
      const { promise: isRead, resolve: exit } = Promise.withResolvers<void>();
      const terminal = { cols: launch.columns ?? 200, rows: 50, data, exit: () => exit() };
      this.#process = Bun.spawn([...command], { ...common, terminal });
      this.ended = this.#endOf([isRead]);
    } else {
      const stdin = hasInput ? 'pipe' : 'ignore';
      const child = Bun.spawn([...command], { ...common, stdio: [stdin, 'pipe', 'pipe'] });
      this.#process = child;
      this.ended = this.#endOf([this.stdout.take(child.stdout), this.stderr.take(child.stderr)]);
    }
  }

  /** Resolves when the instance has printed its addresses. */
  async started(): Promise<void> {
    try {
      await this.stdout.find(/^Hearth \S+ is running/);
    } catch {
      throw new Error(`the program did not start: ${JSON.stringify(await this.ended)}`);
    }
  }

  /** Sends a signal to this process alone. */
  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Sends a signal to the whole group that this process leads. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.#process.pid, signal);
  }

  /** Stops the process, and resolves with how it ended. */
  async stop(): Promise<Ending> {
    this.signal('SIGTERM');
    return this.ended;
  }

  /** Types on the terminal. */
  type(text: string): void {
    this.#process.terminal?.write(text);
  }

  /** Closes the terminal, as a window or a connection does. */
  hangUp(): void {
    this.#process.terminal?.close();
  }

  /** Sets the width of the terminal. */
  resize(columns: number): void {
    this.#process.terminal?.resize(columns, 50);
  }

  /** Writes to standard input. */
  write(bytes: string | Uint8Array): void {
    const { stdin } = this.#process;
    if (typeof stdin !== 'object') throw new Error('the program has no standard input');
    void stdin.write(bytes);
    void stdin.flush();
  }

  /** Ends standard input. */
  endInput(): void {
    const { stdin } = this.#process;
    if (typeof stdin === 'object') void stdin.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#leadsGroup) this.signalGroup('SIGKILL');
      else this.signal('SIGKILL');
    } catch {
      // It is gone already.
    }
    await this.ended;
    this.#process.terminal?.close();
  }

  async #endOf(outputs: readonly Promise<void>[]): Promise<Ending> {
    const exitCode = await this.#process.exited;
    await Promise.all(outputs);
    this.stdout.end();
    this.stderr.end();
    return { exitCode, stdout: this.stdout.text, stderr: this.stderr.text };
  }
}
