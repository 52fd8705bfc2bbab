import { findProgram } from '../../find-program.ts';
import { until } from '../../until.ts';

const SETPRIV = findProgram(['setpriv'], ['/usr/bin']);

/** The beginning of a command whose program is killed if its parent dies, for example by a signal. */
export const WITH_ITS_PARENT: readonly string[] =
  SETPRIV === undefined ? [] : [SETPRIV, '--pdeathsig', 'KILL'];

/** A program with all processes that it starts, which end together. */
export class ProcessGroup implements AsyncDisposable {
  readonly child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;
  /** The text that the program has written to its standard error, for messages. */
  said = '';
  readonly #reading: Promise<void>;

  constructor(command: readonly string[], env: Readonly<Record<string, string | undefined>>) {
    this.child = Bun.spawn([...WITH_ITS_PARENT, ...command], {
      env: { ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      // It leads a group of its own.
      detached: true,
    });
    this.#reading = this.#read();
  }

  /** Resolves with what `find` returns, once it finds something in what the program says. */
  async find(find: (said: string) => string | undefined): Promise<string> {
    let found: string | undefined;
    await until(async () => {
      found = find(this.said);
      if (found === undefined && this.child.exitCode !== null)
        throw new Error(`the program ended: ${this.said}`);
      return found !== undefined;
    });
    return found ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // All have ended.
    }
    await this.child.exited;
    await this.#reading;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of this.child.stderr) {
      this.said += decoder.decode(bytes, { stream: true });
    }
  }
}
