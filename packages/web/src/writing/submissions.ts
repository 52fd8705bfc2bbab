import { NetworkError, ServerError } from '@hearth/sdk';
import { KeyedList } from './keyed-list.ts';

/** Something that was sent and has not arrived. */
export interface Submission<Input> {
  /** The nonce, which is sent with each try, so that it arrives once. */
  readonly key: string;
  readonly input: Input;
  /** Why it has not arrived. */
  readonly error?: unknown;
}

interface SubmissionsOptions<Input, Result> {
  readonly send: (input: Input, nonce: string) => Promise<Result>;
  readonly nonce: () => string;
  /** The times to wait before each further try after nothing was answered. */
  readonly waitsMs?: readonly number[];
  readonly wait?: (ms: number) => Promise<void>;
}

/** Submissions that were sent and are not answered yet, and those that failed. */
export class Submissions<Input, Result> {
  readonly #list = new KeyedList<Submission<Input>>();
  readonly #options: SubmissionsOptions<Input, Result>;

  constructor(options: SubmissionsOptions<Input, Result>) {
    this.#options = options;
  }

  get pending() {
    return this.#list.all;
  }

  /** Sends something. Throws why it has failed; then it stays here, and keeps its nonce if it is sent again. */
  async send(input: Input): Promise<Result> {
    const text = JSON.stringify(input);
    const same = this.pending
      .peek()
      .find((each) => 'error' in each && JSON.stringify(each.input) === text);
    if (same !== undefined) return this.retry(same);
    const submission = { key: this.#options.nonce(), input };
    this.#list.add(submission);
    return this.#deliver(submission);
  }

  /** Tries again what has failed. Throws why it has failed again. */
  async retry({ key, input }: Submission<Input>): Promise<Result> {
    this.#list.change(key, () => ({ key, input }));
    return this.#deliver({ key, input });
  }

  /** Forgets what has failed. */
  drop(key: string): void {
    this.#list.drop(key);
  }

  async #deliver({ key, input }: Submission<Input>): Promise<Result> {
    const { send, waitsMs = [], wait } = this.#options;
    for (let count = 0; ; count += 1) {
      try {
        const result = await send(input, key);
        this.drop(key);
        return result;
      } catch (error) {
        const waitMs = waitsMs[count];
        const isPassing = error instanceof NetworkError || error instanceof ServerError;
        if (!isPassing || waitMs === undefined) {
          this.#list.change(key, (each) => ({ ...each, error }));
          throw error;
        }
        await wait?.(waitMs);
      }
    }
  }
}
