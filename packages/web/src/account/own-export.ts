import { batch, signal, type ReadonlySignal } from '@preact/signals';
import {
  NetworkError,
  type AccountExport,
  type Client,
  type RequestOptions,
  type SdkClock,
} from '@hearth/sdk';

/** The time in milliseconds until the instance is asked again how far it is. */
const PAUSE_MS = 1_000;
const PAUSE_WITHOUT_ANSWER_MS = 5_000;

type ExportClient = Pick<Client, 'findExport' | 'requestExport'>;

/** The archive of everything that the instance has of the reader. While it is being made, the instance is asked how far it is. */
export class OwnExport {
  readonly #client: ExportClient;
  readonly #clock: SdkClock;
  readonly #known = signal<AccountExport | undefined>(undefined);
  readonly #problem = signal<unknown>(undefined);
  readonly #isRequested = signal(false);
  #asking = new AbortController();
  #cancel: () => void = () => {};

  constructor(client: ExportClient, clock: SdkClock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** The progress of the archive; undefined until that is known. */
  get known(): ReadonlySignal<AccountExport | undefined> {
    return this.#known;
  }

  /** The error with which the instance was asked last. */
  get problem(): ReadonlySignal<unknown> {
    return this.#problem;
  }

  /** True while the instance is being asked for a new one. */
  get isRequested(): ReadonlySignal<boolean> {
    return this.#isRequested;
  }

  /** Asks how far it is. */
  async load(): Promise<void> {
    await this.#ask((options) => this.#client.findExport(options));
  }

  /** Asks for a new one. */
  async request(): Promise<void> {
    this.#isRequested.value = true;
    await this.#ask((options) => this.#client.requestExport(options));
  }

  /** Asks no more. */
  leave(): void {
    this.#asking.abort();
    this.#cancel();
  }

  async #ask(ask: (options: RequestOptions) => Promise<AccountExport>): Promise<void> {
    this.leave();
    this.#asking = new AbortController();
    const { signal: ended } = this.#asking;
    try {
      const known = await ask({ signal: ended });
      if (!ended.aborted) this.#learn(known);
    } catch (error) {
      if (!ended.aborted) this.#fail(error);
    }
  }

  #learn(known: AccountExport): void {
    batch(() => {
      this.#known.value = known;
      this.#problem.value = undefined;
      this.#isRequested.value = false;
    });
    if (known.state === 'working') this.#askAfter(PAUSE_MS);
  }

  #fail(error: unknown): void {
    const isWorking = this.#known.peek()?.state === 'working';
    const isBroken = error instanceof NetworkError;
    batch(() => {
      this.#problem.value = error;
      this.#isRequested.value = false;
      // Nobody follows it any more.
      if (isWorking && !isBroken) this.#known.value = undefined;
    });
    if (isWorking && isBroken) this.#askAfter(PAUSE_WITHOUT_ANSWER_MS);
  }

  #askAfter(delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => void this.load());
  }
}
