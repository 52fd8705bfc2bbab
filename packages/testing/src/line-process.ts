import { helperCommand } from './helper-command.ts';

/** Another process of the runtime. A test exchanges lines with it. */
export class LineProcess implements AsyncDisposable {
  readonly #child;
  readonly #lines: AsyncIterator<string>;

  /** Runs the module at `script`. */
  constructor(script: string, ...args: readonly string[]) {
    this.#child = Bun.spawn([...helperCommand(script), ...args], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    this.#lines = linesOf(this.#child.stdout);
  }

  /** The next line that the process prints; `(ended)` if there are no more. */
  async says(): Promise<string> {
    const { done, value } = await this.#lines.next();
    return done === true ? '(ended)' : value;
  }

  /** Writes a line to its standard input. */
  async send(line: string): Promise<void> {
    await this.#child.stdin.write(`${line}\n`);
    await this.#child.stdin.flush();
  }

  /** Halts it until it is killed: its connections stay open, but it does nothing. */
  halt(): void {
    this.#child.kill('SIGSTOP');
  }

  /** Kills it, like a power cut. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

/** Yields the lines of a UTF-8 stream, each as soon as it is complete. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of stream) {
    const lines = (held + decoder.decode(chunk, { stream: true })).split('\n');
    held = lines.pop() ?? '';
    yield* lines;
  }
}
