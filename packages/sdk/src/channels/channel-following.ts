import type { ChannelMessage, Id } from '@hearth/protocol';
import { deferred } from '../deferred.ts';
import { Emitter } from '../emitter.ts';
import { Guard } from '../guard.ts';
import { MessageStream } from '../message-stream.ts';
import type { MessageQuery } from '../messages.ts';
import { withReaction } from '../reaction-change.ts';
import type { MessagesOptions, RequestOptions } from '../types.ts';
import type { ChannelContext } from './channel-context.ts';
import type { ChannelEvents, IncomingChannelMessage } from './channel-events.ts';
import { ChannelFeed, type ChannelMessageReceived } from './channel-feed.ts';
import { listChannelMessages } from './channel-messages.ts';
import type { Follower } from './followed-channels.ts';

const DEFAULT_MOST_BUFFERED = 10_000;

/** The time for which a channel may be away, because it moves from one stream to another, before it is closed. */
const AWAY_MS = 5_000;

/** The live messages of a channel: follows it while somebody listens. */
export class ChannelFollowing {
  readonly #id: Id;
  readonly #context: ChannelContext;
  readonly #events = new Emitter<ChannelEvents>();
  readonly #streams = new Set<MessageStream<IncomingChannelMessage>>();
  #listeners = 0;
  #feed: ChannelFeed | undefined;
  #stopTimer: (() => void) | undefined;
  /** Set by `open`, for a channel of a community of which the person is not a member. */
  #elsewhere: Pick<Follower, 'communityId' | 'lastId' | 'isKnown'> = {
    communityId: undefined,
    lastId: undefined,
    isKnown: false,
  };

  constructor(id: Id, context: ChannelContext) {
    this.#id = id;
    this.#context = context;
    const end = () => {
      this.#stopTimer?.();
      this.#endStreams();
    };
    context.life.addEventListener('abort', end, { once: true });
  }

  get isCurrent(): boolean {
    return this.#feed?.isCurrent === true;
  }

  on<Name extends keyof ChannelEvents>(
    name: Name,
    listener: (event: ChannelEvents[Name]) => void,
  ): () => void {
    const off = this.#events.on(name, listener);
    const leave = this.#enter();
    return () => {
      off();
      leave();
    };
  }

  messages({ signal, mostBuffered = DEFAULT_MOST_BUFFERED }: MessagesOptions) {
    const onAbort = () => stream.end();
    const leave = this.#enter();
    const stream = new MessageStream<IncomingChannelMessage>(mostBuffered, () => {
      this.#streams.delete(stream);
      signal?.removeEventListener('abort', onAbort);
      leave();
    });
    this.#streams.add(stream);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true || this.#context.life.aborted) stream.end();
    else this.#context.keepOpen();
    return stream;
  }

  /** Resolves when the messages come. */
  async open({ signal }: RequestOptions): Promise<void> {
    const { store, channels, followed, open, clock, life } = this.#context;
    await open(signal);
    if (store.channel(this.#id) === undefined) {
      const { community_id: communityId, last_id: lastId } = await channels.find(this.#id, {
        signal,
      });
      this.#elsewhere = { communityId, lastId, isKnown: true };
    }
    const leave = this.#enter();
    const { promise, resolve } = deferred<void>();
    const off = this.#events.on('current', ({ isCurrent }) => isCurrent && resolve());
    const guard = new Guard({ clock, signals: [signal, life], timeoutMs: Infinity });
    guard.pause();
    try {
      followed.connect();
      if (!this.isCurrent) await guard.race(promise);
    } finally {
      guard.end();
      off();
      leave();
    }
  }

  /** A page of the history, with what has come while it was read. */
  page(query: MessageQuery, options: RequestOptions): Promise<readonly ChannelMessage[]> {
    const read = () => this.#list(query, options);
    return this.#feed === undefined ? read() : this.#feed.page(read);
  }

  /** Somebody listens, until the returned function is called. */
  #enter(): () => void {
    this.#listeners += 1;
    if (this.#listeners === 1) this.#follow();
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#listeners -= 1;
      if (this.#listeners > 0) return;
      this.#context.followed.unfollow(this.#id);
      this.#elsewhere = { ...this.#elsewhere, isKnown: false };
      this.#stopTimer?.();
      this.#feed = undefined;
    };
  }

  #follow(): void {
    const { clock, random, caughtUp, followed } = this.#context;
    const feed = new ChannelFeed({
      id: this.#id,
      clock,
      random,
      caughtUp,
      list: (query, options) => this.#list(query, options),
      onMessage: (message) => this.#received(message),
      onUpdate: (message) => this.#updated(message),
      onDelete: (id) => this.#deleted(id),
      onReaction: (change) => {
        for (const stream of this.#streams) {
          stream.replace(change.id, (message) => withReaction(message, change));
        }
        this.#events.emit('reaction', change);
      },
      onGap: (gap) => this.#events.emit('gap', gap),
      onCurrent: (isCurrent) => this.#events.emit('current', { isCurrent }),
    });
    this.#feed = feed;
    const elsewhere = () => this.#elsewhere;
    followed.follow(this.#id, {
      feed,
      get communityId() {
        return elsewhere().communityId;
      },
      get lastId() {
        return elsewhere().lastId;
      },
      get isKnown() {
        return elsewhere().isKnown;
      },
      pinned: (id, isPinned) => {
        feed.pinned(id, isPinned);
        this.#events.emit('pin', { id, isPinned });
      },
      closed: () => this.#closeSoon(),
    });
  }

  #closeSoon(): void {
    const { clock } = this.#context;
    this.#stopTimer?.();
    this.#stopTimer = clock.after(AWAY_MS, () => {
      this.#stopTimer = undefined;
      if (this.#feed?.stream !== undefined) return;
      this.#endStreams();
      this.#events.emit('closed', { id: this.#id });
    });
  }

  #received(message: ChannelMessageReceived): void {
    const incoming = this.#incoming(message);
    for (const stream of this.#streams) stream.push(incoming);
    this.#events.emit('message', incoming);
  }

  #updated(message: ChannelMessage): void {
    for (const stream of this.#streams) stream.update(this.#incoming(message));
    this.#events.emit('messageUpdate', message);
  }

  #deleted(id: Id): void {
    for (const stream of this.#streams) stream.delete(id);
    this.#events.emit('messageDelete', { id });
  }

  #incoming(message: ChannelMessageReceived): IncomingChannelMessage {
    const ownId = this.#context.ownId();
    return { ...message, isOwn: ownId !== undefined && message.user?.id === ownId };
  }

  #endStreams(): void {
    for (const stream of this.#streams) stream.end();
  }

  #list(query: MessageQuery, options: RequestOptions): Promise<readonly ChannelMessage[]> {
    return listChannelMessages(this.#context.api, { ...query, channel_id: this.#id }, options);
  }
}
