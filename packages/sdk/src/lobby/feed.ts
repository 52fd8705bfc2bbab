import { LOBBY_STREAM, type Id } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import type { Place } from '../conversation/conversation.ts';
import { ConversationFeed } from '../conversation/feed.ts';
import type { GatewayEvent } from '../gateway/link-options.ts';
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

/** An event of the lobby's stream. */
export type LobbyEvent = Exclude<GatewayEvent, { op: 'USER_UPDATE' | 'SESSION_END' }>;

/** A message of profiles 1 and 2 or of the history. */
type LobbyReceived = ReceivedMessage & { readonly id: Id };

/** The lobby as profiles 1 and 2 of the gateway carry it; messages of the documented gateway are passed on as they are. */
export class LobbyFeed {
  readonly #options: FeedOptions;
  readonly #conversation: ConversationFeed<LobbyReceived>;

  constructor(options: FeedOptions) {
    this.#options = options;
    const { history } = options;
    this.#conversation = new ConversationFeed<LobbyReceived>({
      ...options,
      stream: LOBBY_STREAM,
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

  /** The events after `place` follow; the documented gateway has no places. Returns whether every message so far was delivered. */
  opened(place: Place | undefined): boolean {
    return this.#conversation.opened(place && { epoch: place.epoch, s: place.s });
  }

  event(event: LobbyEvent): void {
    switch (event.op) {
      case 'STREAM_OPEN':
        return this.#options.onCurrent(this.opened(event.d));
      case 'STREAM_CLOSE':
        return this.left();
      case 'REACTION_ADD':
      case 'REACTION_REMOVE':
        return this.#conversation.receive(event);
      case 'unknown':
        if (event.s !== undefined) this.#conversation.receive({ op: 'unknown', s: event.s });
        return;
      case 'MESSAGE_CREATE':
      case 'MESSAGE_UPDATE':
      case 'MESSAGE_DELETE':
        if ('s' in event) this.#conversation.receive(event);
        else this.#options.onMessage(event.d);
    }
  }

  broken(): void {
    // On profiles 1 and 2, the next position shows that one is missing.
    if (this.place === undefined) this.#conversation.missed();
  }

  left(): void {
    this.#conversation.left();
  }
}
