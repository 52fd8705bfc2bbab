import { compareIds, type ChannelMessage, type Id } from '@hearth/protocol';
import type { ReceivedCommunityEvent } from '@hearth/protocol/received-communities';
import type { SdkClock } from '../clock.ts';
import type { ListMessages, Place } from '../conversation/conversation.ts';
import { ConversationFeed } from '../conversation/feed.ts';
import { LiveBuffer } from '../conversation/live-buffer.ts';
import type { ReactionChange } from '../reaction-change.ts';
import type { Gap } from '../types.ts';

/** A message as it came: with its nonce, if the person who is signed in has posted it. */
export type ChannelMessageReceived = ChannelMessage & {
  readonly nonce?: string;
  /** It was read from the history, to fill a gap. */
  readonly isRecovered?: true;
};

/** The source of a feed's messages, and the callbacks that take them. */
export interface ChannelFeedOptions {
  readonly id: Id;
  readonly list: ListMessages<ChannelMessage>;
  readonly clock: SdkClock;
  readonly random: () => number;
  /** Resolves when everything that the gateway has sent so far has arrived. */
  readonly caughtUp: () => Promise<void>;
  onMessage(message: ChannelMessageReceived): void;
  onUpdate(message: ChannelMessage): void;
  onDelete(id: Id): void;
  onReaction(change: ReactionChange): void;
  onGap(gap: Gap): void;
  onCurrent(isCurrent: boolean): void;
}

/** The place where a feed begins. */
export interface FirstPlace {
  /** The newest message when it was last asked for; undefined if there was none. */
  readonly lastId: Id | undefined;
  /** True if others may have come since. */
  readonly isPast: boolean;
}

/** The events of messages. */
export type MessageEvent = Extract<
  ReceivedCommunityEvent,
  { op: `MESSAGE_${string}` | `REACTION_${string}` }
>;

/** The number of the newest messages that are read again after the loss of events that may have changed them. */
const MOST_SHOWN = 200;

/** The number of changes that are remembered while a page is read. */
const MOST_CHANGES = 1_000;

/**
 * The messages of one channel, out of the stream of its community or its own: each once and in order, or a gap is reported.
 * Other events of the stream count only for its positions.
 */
export class ChannelFeed {
  readonly #options: ChannelFeedOptions;
  readonly #conversation: ConversationFeed<ChannelMessage>;
  /** Changes since pages were asked for. */
  readonly #changes = new Set<LiveBuffer<ChannelMessage>>();
  /** Which messages were pinned meanwhile, and which are no longer. */
  readonly #pins = new Map<Id, boolean>();
  #stream: string | undefined;
  #isCurrent = false;

  constructor(options: ChannelFeedOptions) {
    this.#options = options;
    this.#conversation = new ConversationFeed<ChannelMessage>({
      ...options,
      stream: options.id,
      isComplete: true,
      mostShown: MOST_SHOWN,
      onMessage: (message, isRecovered) =>
        options.onMessage(isRecovered ? { ...message, isRecovered } : message),
      onCurrent: (isCurrent) => this.#become(isCurrent),
    });
  }

  /** The stream that it follows; undefined while it follows none. */
  get stream(): string | undefined {
    return this.#stream;
  }

  /** True if every message so far was delivered. */
  get isCurrent(): boolean {
    return this.#stream !== undefined && this.#isCurrent;
  }

  /**
   * Follows a stream after that place. The first time, messages after `lastId` are the first ones; with `isPast`, those before
   * the place are read from the history.
   */
  open(stream: string, { epoch, s }: Place, { lastId, isPast }: FirstPlace): void {
    this.#conversation.begin(lastId, isPast);
    this.#stream = stream;
    // Another stream has other positions, even if its epoch has the same name.
    this.#become(this.#conversation.opened({ epoch: `${stream} ${epoch}`, s }));
  }

  /** An event of the stream, whichever channel it is about. */
  receive(event: MessageEvent | { readonly op: 'unknown'; readonly s: number }): void {
    const { s } = event;
    if (event.op === 'unknown' || event.d.channel_id !== this.#options.id) {
      return this.#conversation.receive({ op: 'unknown', s });
    }
    switch (event.op) {
      case 'MESSAGE_CREATE':
        return this.#conversation.receive({ op: event.op, s, d: event.d });
      case 'MESSAGE_UPDATE':
        for (const changes of this.#changes) changes.update(event.d);
        return this.#conversation.receive({ op: event.op, s, d: event.d });
      case 'MESSAGE_DELETE':
        for (const changes of this.#changes) changes.delete(event.d.id);
        return this.#conversation.receive({ op: event.op, s, d: event.d });
      case 'MESSAGE_DELETE_MANY':
        for (const changes of this.#changes) event.d.ids.forEach((id) => changes.delete(id));
        return this.#conversation.receive({ op: event.op, s, d: event.d });
      case 'REACTION_ADD':
      case 'REACTION_REMOVE': {
        const { message_id: id, emoji, user_id, count, version } = event.d;
        const d = { id, emoji, user_id, count, version };
        const change = { ...d, isAdded: event.op === 'REACTION_ADD' };
        for (const changes of this.#changes) changes.react(change);
        return this.#conversation.receive({ op: event.op, s, d });
      }
    }
  }

  /** A message was pinned, or is no longer. */
  pinned(id: Id, isPinned: boolean): void {
    if (this.#changes.size > 0) this.#pins.set(id, isPinned);
  }

  /** No more events come for now. */
  left(): void {
    if (this.#stream === undefined) return;
    this.#stream = undefined;
    this.#conversation.left();
    this.#become(false);
  }

  /** A page that `read` gives, with all changes that came while it was read, and without what was deleted. */
  async page(read: () => Promise<readonly ChannelMessage[]>): Promise<readonly ChannelMessage[]> {
    const changes = new LiveBuffer<ChannelMessage>(MOST_CHANGES);
    this.#changes.add(changes);
    try {
      let page;
      do {
        changes.asking();
        page = await read();
      } while (changes.hasLostChanges);
      const current = page.flatMap((message) => {
        if (changes.isDeleted(message.id)) return [];
        const changed = changes.updated(message);
        return [this.#withPin(changed.version < message.version ? message : changed)];
      });
      this.#conversation.note(current.toSorted((one, other) => compareIds(one.id, other.id)));
      return current;
    } finally {
      this.#changes.delete(changes);
      if (this.#changes.size === 0) this.#pins.clear();
    }
  }

  #withPin(message: ChannelMessage): ChannelMessage {
    const isPinned = this.#pins.get(message.id);
    if (isPinned === undefined) return message;
    const { pinned: _before, ...rest } = message;
    return isPinned ? { ...rest, pinned: true } : rest;
  }

  #become(isCurrent: boolean): void {
    if (this.#isCurrent === isCurrent) return;
    this.#isCurrent = isCurrent;
    this.#options.onCurrent(isCurrent);
  }
}
