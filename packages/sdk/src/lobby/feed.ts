import type { Id } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import type { Place } from '../conversation/conversation.ts';
import { ConversationFeed } from '../conversation/feed.ts';
import type { GatewayFeed } from '../gateway/gateway-feed.ts';
import type { GatewayEvent, Hello } from '../gateway/link.ts';
import type { ReactionChange } from '../reaction-change.ts';
import type { RestClient } from '../rest.ts';
import type { Gap, ReceivedMessage } from '../types.ts';

/** The source of a feed's messages, and the callbacks that take them. */
export interface FeedOptions {
  /** Undefined if the instance has none. */
  readonly history: Pick<RestClient, 'listMessages'> | undefined;
  readonly clock: SdkClock;
  readonly random: () => number;
  /** Resolves when everything that the gateway has sent so far has arrived. */
  readonly caughtUp: () => Promise<void>;
  onMessage(message: ReceivedMessage): void;
  onUpdate?(message: ReceivedMessage): void;
  onDelete?(id: Id): void;
  onReaction?(change: ReactionChange): void;
  onGap(gap: Gap): void;
  onCurrent(isCurrent: boolean): void;
}

/** A message of profile 1 or of the history. */
type LobbyReceived = ReceivedMessage & { readonly id: Id };

/** The lobby as profile 1 of the gateway carries it; messages of the documented gateway are passed on as they are. */
export class LobbyFeed implements GatewayFeed {
  readonly #options: FeedOptions;
  readonly #conversation: ConversationFeed<LobbyReceived>;

  constructor(options: FeedOptions) {
    this.#options = options;
    const { history } = options;
    this.#conversation = new ConversationFeed<LobbyReceived>({
      ...options,
      stream: 'lobby',
      list: history === undefined ? undefined : (...asked) => history.listMessages(...asked),
      onMessage: (message, isRecovered) =>
        options.onMessage(isRecovered ? { ...message, isRecovered } : message),
      onUpdate: (message) => options.onUpdate?.(message),
      onDelete: (id) => options.onDelete?.(id),
      onReaction: (change) => options.onReaction?.(change),
    });
  }

  get place(): Place | undefined {
    return this.#conversation.place;
  }

  prepare(signal: AbortSignal): Promise<void> {
    return this.#conversation.prepare(signal);
  }

  opened(hello: Hello | undefined): boolean {
    return this.#conversation.opened(hello && { epoch: hello.epoch, s: hello.s });
  }

  message(event: GatewayEvent): void {
    if ('s' in event) this.#conversation.receive(event);
    else this.#options.onMessage(event.d);
  }

  broken(): void {
    // On profile 1, the next position shows that one is missing.
    if (this.place === undefined) this.#conversation.missed();
  }

  left(): void {
    this.#conversation.left();
  }
}
