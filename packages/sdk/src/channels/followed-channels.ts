import { channelStream, communityStream, type Id } from '@hearth/protocol';
import type { ReceivedCommunityEvent } from '@hearth/protocol/received-communities';
import type { CommunityStore } from '../communities/store.ts';
import type { Place } from '../conversation/conversation.ts';
import type { ChannelFeed, MessageEvent } from './channel-feed.ts';

/** An event of a stream, as far as channels take it. */
export type ChannelEvent =
  | MessageEvent
  | Extract<ReceivedCommunityEvent, { op: `PIN_${string}` }>
  | { readonly op: 'unknown'; readonly s: number };

/** Somebody who follows a channel. */
export interface Follower {
  readonly feed: ChannelFeed;
  /** The community, if the store does not know it. */
  readonly communityId: Id | undefined;
  /** The newest message when it was last asked for. */
  readonly lastId: Id | undefined;
  /** True if it was asked for. */
  readonly isKnown: boolean;
  pinned(messageId: Id, isPinned: boolean): void;
  /** The channel can no longer be followed. */
  closed(): void;
}

/** Connects feeds of channels to the streams that carry them, which may change. */
export class FollowedChannels {
  readonly #store: Pick<CommunityStore, 'channel' | 'communityOf' | 'lastId'>;
  readonly #followers = new Map<Id, Follower>();
  /** The channels that were followed and have not been reported as closed. */
  readonly #seen = new Set<Id>();
  /** The channels that were removed, until the store has them again. */
  readonly #removed = new Set<Id>();
  #places = new Map<string, Place>();
  #isOpen = false;

  constructor(store: Pick<CommunityStore, 'channel' | 'communityOf' | 'lastId'>) {
    this.#store = store;
  }

  /** Follows a channel from now on, or as soon as that is possible. */
  follow(id: Id, follower: Follower): void {
    this.#removed.delete(id);
    this.#followers.set(id, follower);
    this.#connect(id, follower, false);
  }

  unfollow(id: Id): void {
    this.#followers.get(id)?.feed.left();
    this.#followers.delete(id);
    this.#seen.delete(id);
    this.#removed.delete(id);
  }

  hasStream(stream: string): boolean {
    return this.#places.has(stream);
  }

  /** Returns whether a channel has a stream besides the one named `other`. */
  hasOwnStream(id: Id, other: string): boolean {
    const own = channelStream(id);
    return own !== other && this.hasStream(own);
  }

  opened(places: ReadonlyMap<string, Place>): void {
    this.left();
    this.#isOpen = true;
    this.#places = new Map(places);
    // READY lists the newest message of each channel at these places.
    for (const [id, follower] of this.#followers) this.#connect(id, follower, false);
    this.#closeOthers();
  }

  left(): void {
    this.#isOpen = false;
    for (const { feed } of this.#followers.values()) feed.left();
  }

  streamOpened(stream: string, place: Place): void {
    this.#places.set(stream, place);
    this.connect();
  }

  streamClosed(stream: string): void {
    this.#places.delete(stream);
    for (const { feed } of this.#followers.values()) if (feed.stream === stream) feed.left();
    this.connect();
    this.#closeOthers();
  }

  /** An event of a stream, after everything else has taken it. */
  event(stream: string, event: ChannelEvent): void {
    const place = this.#places.get(stream);
    if (place !== undefined) this.#places.set(stream, { ...place, s: event.s });
    for (const [id, follower] of this.#followers) {
      const { feed } = follower;
      if (feed.stream !== stream) continue;
      if (event.op !== 'PIN_ADD' && event.op !== 'PIN_REMOVE') feed.receive(event);
      else {
        feed.receive({ op: 'unknown', s: event.s });
        const { channel_id: channelId, message_id: messageId } = event.d;
        if (channelId === id) follower.pinned(messageId, event.op === 'PIN_ADD');
      }
    }
    this.connect();
  }

  /** A channel can no longer be seen. */
  removed(id: Id): void {
    const follower = this.#followers.get(id);
    if (follower === undefined) return;
    this.#removed.add(id);
    follower.feed.left();
    this.#closeOthers();
  }

  /** Connects the feeds whose streams are there. These have waited, and messages may have come meanwhile. */
  connect(): void {
    for (const [id, follower] of this.#followers) this.#connect(id, follower, true);
  }

  #connect(id: Id, follower: Follower, hasWaited: boolean): void {
    if (!this.#isOpen) return;
    const { feed } = follower;
    const stream = this.#streamOf(id, follower);
    if (stream === feed.stream || stream === undefined) return;
    const place = this.#places.get(stream);
    if (place === undefined) return;
    feed.left();
    this.#seen.add(id);
    // Of a channel that nobody has asked for, all that was posted before is old.
    const isPast = hasWaited && (follower.isKnown || this.#store.channel(id) !== undefined);
    feed.open(stream, place, { lastId: this.#store.lastId(id) ?? follower.lastId, isPast });
  }

  #streamOf(id: Id, { communityId }: Follower): string | undefined {
    const own = channelStream(id);
    if (this.#places.has(own)) return own;
    const ofStore = this.#store.communityOf(id);
    if (ofStore === undefined && this.#removed.has(id)) return undefined;
    this.#removed.delete(id);
    const isRestricted = this.#store.channel(id)?.restricted === true;
    const place = ofStore ?? communityId;
    return place === undefined || isRestricted ? undefined : communityStream(place);
  }

  /** Reports the channels that were followed and cannot be any more. */
  #closeOthers(): void {
    if (!this.#isOpen) return;
    for (const [id, follower] of this.#followers) {
      if (follower.feed.stream === undefined && this.#seen.delete(id)) follower.closed();
    }
  }
}
