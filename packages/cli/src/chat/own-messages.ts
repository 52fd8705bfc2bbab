import type { ReceivedMessage } from '@hearth/sdk';
import type { Draft } from './outbox.ts';

/** If more messages never come back, the oldest are forgotten. */
const MOST_EXPECTED = 100;

/** A message of the user that was posted or is about to be. */
export class OwnMessage {
  readonly nonce: string = crypto.randomUUID();
  readonly author: string;
  readonly content: string;
  readonly #arrival = Promise.withResolvers<void>();
  #isShown = false;
  #hasArrived = false;

  constructor({ author, content }: Draft) {
    this.author = author;
    this.content = content;
  }

  /** Resolves when the message has come back from the gateway. */
  get arrived(): Promise<void> {
    return this.#arrival.promise;
  }

  /** True if the message has come back. Then it was sent, even if the request failed. */
  get hasArrived(): boolean {
    return this.#hasArrived;
  }

  /** Returns true on the first call only, so that the message is shown once. */
  showOnce(): boolean {
    const isNew = !this.#isShown;
    this.#isShown = true;
    return isNew;
  }

  /** Notes that the message has come back. */
  arrive(): void {
    this.#hasArrived = true;
    this.#arrival.resolve();
  }
}

/** The user's own messages, which come back from the gateway like all others. */
export class OwnMessages {
  #expected: readonly OwnMessage[] = [];

  /** Notes a message that is about to be posted. */
  expect(draft: Draft): OwnMessage {
    const own = new OwnMessage(draft);
    this.#expected = [...this.#expected, own].slice(-MOST_EXPECTED);
    return own;
  }

  /** Forgets a message that was refused. */
  forget(refused: OwnMessage): void {
    this.#expected = this.#expected.filter((own) => own !== refused);
  }

  /** Returns the expected own message that `message` is, if any. */
  recognise(message: ReceivedMessage): OwnMessage | undefined {
    const found = this.#expected.find((own) => this.#isSame(own, message));
    if (found !== undefined) this.forget(found);
    return found;
  }

  // Messages of the history and of documented gateways have no nonce.
  #isSame(own: OwnMessage, { author, content, nonce }: ReceivedMessage): boolean {
    if (nonce !== undefined) return nonce === own.nonce;
    return author === own.author && content === own.content;
  }
}
