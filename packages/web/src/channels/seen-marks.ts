import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import { NetworkError, RateLimitedError, type ChannelClient, type MyChannel } from '@hearth/sdk';
import type { Conversation, ConversationParts } from '../conversation/conversation.ts';

/** When what was read is sent again that did not arrive. */
const AGAIN_MS = 5_000;

/** The channel as one of the reader's own, if it is one. */
type Own = ReadonlySignal<MyChannel | undefined>;

/** Reports what the reader has seen of a channel. The instance keeps that for members only. */
export class SeenMarks {
  readonly #channel: Pick<ChannelClient, 'markRead'>;
  readonly #own: Own;
  readonly #isMissing = signal(false);

  constructor(channel: Pick<ChannelClient, 'markRead'>, own: Own) {
    this.#channel = channel;
    this.#own = own;
  }

  /** The reader has seen a message. */
  mark(message: Id): void {
    if (this.#own.peek() === undefined) return;
    this.#channel.markRead(message).catch((error: unknown) => {
      // If the channel is gone, that shows in other ways.
      const isPassing = error instanceof NetworkError || error instanceof RateLimitedError;
      if (isPassing) this.#isMissing.value = true;
    });
  }

  /** Sends again what did not arrive, while the instance can be reached; returns a function that stops it. */
  follow(
    { readMark }: { readonly readMark: Pick<Conversation['readMark'], 'seeAgain'> },
    { connection, clock }: Marking,
  ): () => void {
    return effect(() => {
      if (!this.#isMissing.value || !connection.isReachable.value) return undefined;
      return clock.after(AGAIN_MS, () => {
        this.#isMissing.value = false;
        readMark.seeAgain();
      });
    });
  }
}

interface Marking {
  readonly connection: Pick<ConversationParts['connection'], 'isReachable'>;
  readonly clock: Pick<ConversationParts['clock'], 'after'>;
}
