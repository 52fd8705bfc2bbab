import { join } from 'node:path';
import { testRun } from '../test-run.ts';
import { Lines } from './lines.ts';

/** The repository's folder. */
export const ROOT = join(import.meta.dir, '../../../..');

/** The command line of the sources, without words. */
export const SOURCES = [process.execPath, join(ROOT, 'packages/cli/src/main.ts')];

/** The command line without words: of the bundle that the run made, or else of the sources. */
export const HEARTH = testRun.program === undefined ? SOURCES : [process.execPath, testRun.program];

/** What is run, and in what. */
export interface Launch {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** On a terminal standard output and standard error are one. */
  readonly on?: 'pipes' | 'terminal';
  /** How wide the terminal is: 200 columns where it is left out. */
  readonly columns?: number;
  /** Whether standard input is a pipe, to be written to; otherwise there is none. */
  readonly hasInput?: boolean;
  /** Whether it leads a group of processes; what a package script starts outlives the script otherwise. */
  readonly leadsGroup?: boolean;
}

/** How a process ended, and all that it wrote. */
export interface Ending {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the real program. Disposal kills it, and its group where it leads one. */
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

  /** Resolves when the instance has told where it is. */
  async started(): Promise<void> {
    try {
      await this.stdout.find(/^Hearth \S+ is running/);
    } catch {
      throw new Error(`it did not start: ${JSON.stringify(await this.ended)}`);
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

  /** Asks for a stop and resolves with how the process ended. */
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

  /** Makes the terminal so wide. */
  resize(columns: number): void {
    this.#process.terminal?.resize(columns, 50);
  }

  /** Writes to standard input. */
  write(bytes: string | Uint8Array): void {
    const { stdin } = this.#process;
    if (typeof stdin !== 'object') throw new Error('it has no standard input');
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
