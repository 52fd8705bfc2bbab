/** Another process of the runtime, with which a test talks line by line. */
export class LineProcess implements AsyncDisposable {
  readonly #child;
  readonly #lines: AsyncIterator<string>;

  /** Runs the module at `script`. */
  constructor(script: string, ...args: readonly string[]) {
    this.#child = Bun.spawn([process.execPath, script, ...args], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    this.#lines = linesOf(this.#child.stdout);
  }

  /** The next line that the process says; `(ended)` when there is none any more. */
  async says(): Promise<string> {
    const { done, value } = await this.#lines.next();
    return done === true ? '(ended)' : value;
  }

  async tell(line: string): Promise<void> {
    await this.#child.stdin.write(`${line}\n`);
    await this.#child.stdin.flush();
  }

  /** Ends it as a power cut would; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

/** The lines of a stream of UTF-8, each as soon as it is whole. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of stream) {
    const lines = (held + decoder.decode(chunk, { stream: true })).split('\n');
    held = lines.pop() ?? '';
    yield* lines;
  }
}
