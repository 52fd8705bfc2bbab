import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { canAsk } from '../confirm.ts';
import type { Surroundings } from '../command.ts';

/** Asks a person on a terminal, or else takes the lines of standard input as the answers. */
export class Questions implements Disposable {
  readonly isInteractive: boolean;
  readonly #warn: Surroundings['warn'];
  readonly #stdin: Surroundings['streams']['stdin'];
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;
  #isEchoing = false;

  constructor(surroundings: Surroundings) {
    const { streams, warn } = surroundings;
    this.#warn = warn;
    this.#stdin = streams.stdin;
    this.isInteractive = canAsk(surroundings);
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#isEchoing) warn(chunk.toString());
        done();
      },
    });
    const input = streams.stdin;
    // Without a history, the arrow keys bring back no password.
    this.#lines = createInterface({ input, output, terminal: this.isInteractive, historySize: 0 });
    this.#lines.on('SIGINT', () => this.#lines.close());
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  /** The answer without spaces around it; undefined if there is none. */
  async ask(question: string): Promise<string | undefined> {
    const answer = await this.#answer(question, true);
    return answer?.trim();
  }

  /** The answer, which is not shown; undefined if there is none. */
  askSecret(question: string): Promise<string | undefined> {
    return this.#answer(question, false);
  }

  [Symbol.dispose](): void {
    this.#lines.close();
    this.#stdin.pause();
  }

  async #answer(question: string, isEchoing: boolean): Promise<string | undefined> {
    if (this.isInteractive) this.#warn(question);
    this.#isEchoing = isEchoing;
    const { value, done } = await this.#answers.next();
    if (this.isInteractive && (!isEchoing || done === true)) this.#warn('\n');
    return done === true || value === '' ? undefined : value;
  }
}
