import type { Id } from '@hearth/protocol';
import type { Conversation } from '../conversation/conversation.ts';

/** The number of channels that stay loaded after the reader has left them. */
const MOST_LOADED = 8;

/** The conversations of the channels that the reader has looked at; the ones looked at least recently are closed. */
export class OpenChannels implements Disposable {
  readonly #create: (id: Id) => Conversation;
  /** The one that was looked at last comes last. */
  readonly #open = new Map<Id, Conversation>();

  constructor(create: (id: Id) => Conversation) {
    this.#create = create;
  }

  /** The conversation of a channel, which begins with this if it is not loaded. */
  at(id: Id): Conversation {
    const known = this.#open.get(id);
    const conversation = known ?? this.#create(id);
    this.#open.delete(id);
    this.#open.set(id, conversation);
    if (known === undefined) {
      conversation.start();
      this.#bound(id);
    }
    return conversation;
  }

  /** Returns the loaded conversations. */
  all(): readonly Conversation[] {
    return [...this.#open.values()];
  }

  /** Closes a channel that the reader does not see any more. */
  close(id: Id): void {
    this.#open.get(id)?.[Symbol.dispose]();
    this.#open.delete(id);
  }

  [Symbol.dispose](): void {
    for (const id of this.#open.keys()) this.close(id);
  }

  /** `shown` stays, even if something waits in all others. */
  #bound(shown: Id): void {
    for (const [id, conversation] of this.#open) {
      if (this.#open.size <= MOST_LOADED) return;
      if (id !== shown && isIdle(conversation)) this.close(id);
    }
  }
}

/** Returns whether nothing would be lost or stopped by closing it. */
function isIdle({ outbox, uploads }: Conversation): boolean {
  return (
    outbox.pending.peek().length === 0 &&
    uploads.sending.peek().length === 0 &&
    uploads.picked.peek().length === 0
  );
}
