import { PassThrough, Writable } from 'node:stream';
import type { Ending } from '@hearth/testing/programs/hearth-process';
import { Lines } from '@hearth/testing/programs/lines';
import type { Surroundings } from '../../src/command.ts';
import { run } from '../../src/run.ts';

/** The surroundings in which a command line runs, and its standard streams. */
export interface HereOptions extends Pick<Surroundings, 'env' | 'workingDir'> {
  /** On a terminal, standard output and standard error are the same. */
  readonly on?: 'pipes' | 'terminal';
  /** The width of the terminal; the default is 200 columns. */
  readonly columns?: number;
}

const ROWS = 50;

/**
 * A command line that runs in this process, which takes no time to start. A test uses it as a `HearthProcess`. Its terminal
 * is always in raw mode, and Ctrl-Z would suspend the test.
 */
export class CommandHere implements AsyncDisposable {
  readonly stdout = new Lines();
  readonly stderr: Lines;
  /** Resolves when the command has ended. */
  readonly ended: Promise<Ending>;
  readonly #stop = new AbortController();
  readonly #stdin = new PassThrough();
  readonly #output: Writable;

  constructor(words: readonly string[], options: HereOptions) {
    const { env, workingDir, on = 'pipes', columns = 200 } = options;
    const isTTY = on === 'terminal';
    this.stderr = isTTY ? this.stdout : new Lines();
    const print = (lines: Lines) => (text: string) => {
      // A terminal begins each line in its first column.
      lines.push(Buffer.from(isTTY ? text.replaceAll('\n', '\r\n') : text));
    };
    const write = (chunk: unknown, _encoding: string, done: () => void) => {
      print(this.stdout)(String(chunk));
      done();
    };
    this.#output = Object.assign(new Writable({ write }), { isTTY, columns, rows: ROWS });
    const stdin = Object.assign(this.#stdin, { isTTY, setRawMode: () => stdin });
    // Guarantee: commands use nothing else of the streams of the process.
    const streams = { stdin, stdout: this.#output, stderr: this.#output } as unknown;
    this.ended = this.#endOf(
      run(words, {
        env,
        workingDir,
        print: print(this.stdout),
        warn: print(this.stderr),
        streams: streams as Surroundings['streams'],
        listenForStop: () => this.#stop.signal,
      }),
    );
  }

  /** Resolves when the instance has printed its addresses. */
  async started(): Promise<void> {
    try {
      await this.stdout.find(/^Hearth \S+ is running/);
    } catch {
      throw new Error(`the instance did not start: ${JSON.stringify(await this.ended)}`);
    }
  }

  /** Stops the command, and resolves with how it ended. */
  stop(): Promise<Ending> {
    this.signal('SIGTERM');
    return this.ended;
  }

  /** Asks the command to stop, as a signal does. */
  signal(signal: 'SIGINT' | 'SIGTERM'): void {
    this.#stop.abort(signal);
  }

  /** Types on the terminal. */
  type(text: string): void {
    this.#stdin.write(text);
  }

  /** Sets the width of the terminal. */
  resize(columns: number): void {
    Object.assign(this.#output, { columns });
    this.#output.emit('resize');
  }

  /** Writes to standard input. */
  write(bytes: string | Uint8Array): void {
    this.#stdin.write(bytes);
  }

  /** Ends standard input. */
  endInput(): void {
    this.#stdin.end();
  }

  /** Ends the command, which loses its input and the reader of its output. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.signal('SIGTERM');
    this.endInput();
    this.#output.on('error', () => undefined);
    this.#output.destroy(Object.assign(new Error('nobody reads'), { code: 'EPIPE' }));
    await this.ended;
  }

  async #endOf(running: Promise<number>): Promise<Ending> {
    const exitCode = await running;
    this.stdout.end();
    this.stderr.end();
    const stderr = this.stderr === this.stdout ? '' : this.stderr.text;
    return { exitCode, stdout: this.stdout.text, stderr };
  }
}
