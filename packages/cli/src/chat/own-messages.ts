import type { ReceivedMessage } from '@hearth/sdk';

/** More that never came back are forgotten. */
const MOST_EXPECTED = 100;

/** A message of one's own that was posted, or is about to be. */
export class OwnMessage {
  readonly nonce: string = crypto.randomUUID();
  readonly content: string;
  readonly #arrival = Promise.withResolvers<void>();
  #isShown = false;
  #hasArrived = false;

  constructor(content: string) {
    this.content = content;
  }

  /** Resolves when it came back from the gateway. */
  get arrived(): Promise<void> {
    return this.#arrival.promise;
  }

  /** Whether it came back, so that it was sent, whatever became of the answer. */
  get hasArrived(): boolean {
    return this.#hasArrived;
  }

  /** Whether it is to be shown now; it is once, however often it comes. */
  showOnce(): boolean {
    const isNew = !this.#isShown;
    this.#isShown = true;
    return isNew;
  }

  /** It came back. */
  arrive(): void {
    this.#hasArrived = true;
    this.#arrival.resolve();
  }
}

/** Messages of one's own, which come back from the gateway like everybody's. */
export class OwnMessages {
  readonly #author: string;
  #expected: readonly OwnMessage[] = [];

  constructor(author: string) {
    this.#author = author;
  }

  /** A message is about to be posted. */
  expect(content: string): OwnMessage {
    const own = new OwnMessage(content);
    this.#expected = [...this.#expected, own].slice(-MOST_EXPECTED);
    return own;
  }

  /** A message was refused. */
  forget(refused: OwnMessage): void {
    this.#expected = this.#expected.filter((own) => own !== refused);
  }

  /** The message of one's own that `message` is, as far as one is expected. */
  recognise(message: ReceivedMessage): OwnMessage | undefined {
    const found = this.#expected.find((own) => this.#isSame(own, message));
    if (found !== undefined) this.forget(found);
    return found;
  }

  // Histories and documented gateways know no nonce.
  #isSame(own: OwnMessage, { author, content, nonce }: ReceivedMessage): boolean {
    if (nonce !== undefined) return nonce === own.nonce;
    return author === this.#author && content === own.content;
  }
}
