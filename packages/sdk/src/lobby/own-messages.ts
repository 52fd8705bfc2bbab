import { compareIds, type Id } from '@hearth/protocol';
import type { ReceivedMessage } from '../types.ts';

/** A message that was sent or is about to be, and has not come back yet. */
export interface SentMessage {
  readonly author: string;
  readonly content: string;
  /** Undefined if the instance does not send it back. */
  readonly nonce: string | undefined;
  /**
   * True if the client listened when it was sent. If not, it may never come, and must not be confused with another one.
   */
  readonly isListening: boolean;
  /** The newest message that had come before it was sent. */
  readonly afterId: Id | undefined;
}

/** If more messages never come back, the oldest are forgotten. */
const MOST_AWAITED = 1_000;

/** The number of the newest own messages that are recognised when they change. */
const MOST_KNOWN = 1_000;

/** Recognises the messages that this client sent, which come back like all others. */
export class OwnMessages {
  #awaited: readonly SentMessage[] = [];
  readonly #known = new Set<Id>();
  #newestId: Id | undefined;

  /** Notes a message that is about to be sent. */
  expect(message: Omit<SentMessage, 'afterId'>): SentMessage {
    const sent = { ...message, afterId: this.#newestId };
    this.#awaited = [...this.#awaited, sent].slice(-MOST_AWAITED);
    return sent;
  }

  /** Forgets a message that was not posted. */
  forget(refused: SentMessage): void {
    this.#awaited = this.#awaited.filter((sent) => sent !== refused);
  }

  /** Returns whether this client sent a message that has just come. Each sent message comes once. */
  receive(message: ReceivedMessage): boolean {
    const { id } = message;
    const found = this.#awaited.find((sent) => isSame(sent, message));
    if (found !== undefined) this.forget(found);
    if (id === undefined) return found !== undefined;
    this.#newestId = id;
    if (found !== undefined) this.#remember(id);
    return this.isKnown(id);
  }

  /** Returns whether the message with this id came earlier and was sent by this client. */
  isKnown(id: Id | undefined): boolean {
    return id !== undefined && this.#known.has(id);
  }

  #remember(id: Id): void {
    this.#known.add(id);
    if (this.#known.size <= MOST_KNOWN) return;
    for (const oldest of this.#known) {
      this.#known.delete(oldest);
      return;
    }
  }
}

/** Messages of the history and of the documented gateway, which are without an id, have no nonces. */
function isSame(sent: SentMessage, message: ReceivedMessage): boolean {
  const { id, author, content, nonce, isRecovered } = message;
  if (nonce !== undefined) return nonce === sent.nonce;
  const mayLackNonce = sent.nonce === undefined || id === undefined || isRecovered === true;
  const { afterId } = sent;
  const isLater = id === undefined || afterId === undefined || compareIds(id, afterId) > 0;
  const isAwaited = sent.isListening && mayLackNonce && isLater;
  return isAwaited && author === sent.author && content === sent.content;
}
