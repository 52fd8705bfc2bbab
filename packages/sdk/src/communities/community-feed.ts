import { channelStream, communityStream, parseId, type Channel, type Id } from '@hearth/protocol';
import {
  receivedCommunityEvent,
  receivedCommunityState,
  receivedWatchedEvent,
  type ReceivedCommunityEvent,
} from '@hearth/protocol/received-communities';
import type { FollowedChannels } from '../channels/followed-channels.ts';
import type { ReadStates } from '../channels/read-states.ts';
import type { Place } from '../conversation/conversation.ts';
import type { Emitter } from '../emitter.ts';
import { mayPass } from '../errors.ts';
import type { UnknownEvent } from '../gateway/link-options.ts';
import type { AccountOpening, StreamsListener } from '../gateway/other-streams.ts';
import type { PostsSlot } from '../posts/posts-slot.ts';
import type { CommunityEvents } from './events.ts';
import type { CommunityStore, StructureEvent } from './store.ts';
import type { Watcher } from './watcher.ts';

/** The parts that take what a gateway sends about communities. */
export interface CommunityFeedOptions {
  readonly events: Emitter<CommunityEvents>;
  readonly store: CommunityStore;
  readonly readStates: ReadStates;
  readonly followed: FollowedChannels;
  readonly watcher: Watcher;
  readonly posts: PostsSlot;
  readonly ownId: () => Id | undefined;
  readonly readChannel: (id: Id) => Promise<Channel>;
  /** Never rejects. */
  readonly readStatesAgain: () => Promise<void>;
}

type MessageEvent = Extract<
  ReceivedCommunityEvent,
  { op: `MESSAGE_${string}` | `REACTION_${string}` | `PIN_${string}` }
>;
type PostNews = Extract<ReceivedCommunityEvent, { op: `POST_${string}` }>;
type ReadingEvent = Exclude<ReceivedCommunityEvent, StructureEvent | MessageEvent | PostNews>;

/** Reads what a gateway of profile 2 sends about communities, and gives each part what concerns it. */
export class CommunityFeed implements StreamsListener {
  readonly #options: CommunityFeedOptions;

  constructor(options: CommunityFeedOptions) {
    this.#options = options;
  }

  opened({ ready, lost, places }: AccountOpening): void {
    const { store, readStates, followed, watcher, posts } = this.#options;
    if (ready === undefined) this.#lost(lost, places);
    else {
      const { communities, read_states, notification_settings } =
        receivedCommunityState.parse(ready);
      store.load(communities);
      readStates.load(read_states, notification_settings);
    }
    followed.opened(places);
    posts.listener?.opened(ready !== undefined || lost.length > 0);
    watcher.opened();
  }

  event({ s, t, raw }: UnknownEvent): void {
    if (t === undefined || s === undefined) return this.#watched(raw);
    const { followed, store } = this.#options;
    const { data: event } = receivedCommunityEvent.safeParse(raw);
    if (event === undefined) {
      // It may be one that this version of the library does not understand.
      store.refresh(this.#communityOfStream(t));
      return followed.event(t, { op: 'unknown', s });
    }
    if (isOfPosts(event)) this.#applyPost(event, raw);
    else this.#apply(event);
    followed.event(t, isOfMessages(event) ? event : { op: 'unknown', s });
  }

  streamOpened(stream: string, place: Place): void {
    this.#options.followed.streamOpened(stream, place);
    const channelId = idIn(stream, channelStream);
    const communityId = idIn(stream, communityStream);
    if (channelId !== undefined) void this.#gained(channelId);
    else if (communityId !== undefined) this.#options.store.begin(communityId);
  }

  streamClosed(stream: string): void {
    const { store, followed } = this.#options;
    followed.streamClosed(stream);
    const channelId = idIn(stream, channelStream);
    // A channel that is no longer restricted goes on in the stream of its community.
    const isElsewhere = (id: Id) => {
      const details = store.channel(id)?.details;
      return details !== undefined && details.restricted !== true;
    };
    if (channelId === undefined) {
      const communityId = idIn(stream, communityStream);
      store.refresh(communityId);
      // Others see it only while they watch it.
      if (communityId !== undefined) this.#options.watcher.ended(communityId);
    } else if (!isElsewhere(channelId)) store.removeChannel(channelId);
  }

  limited(retryAfterMs: number): void {
    this.#options.watcher.limited(retryAfterMs);
  }

  left(): void {
    this.#options.followed.left();
    this.#options.watcher.left();
    this.#options.posts.listener?.left();
  }

  forgotten(): void {
    const { store, readStates, followed, watcher, posts } = this.#options;
    followed.left();
    posts.listener?.left();
    watcher.forget();
    store.clear();
    readStates.clear();
  }

  /** These streams do not continue where they were. */
  #lost(lost: readonly string[], places: ReadonlyMap<string, Place>): void {
    const { store, readStatesAgain } = this.#options;
    // Mentions were counted by events.
    if (lost.length > 0) void readStatesAgain();
    for (const stream of lost) {
      const channelId = idIn(stream, channelStream);
      if (channelId !== undefined && !places.has(stream)) store.removeChannel(channelId);
      const communityId = idIn(stream, communityStream);
      // The person may have joined it since READY.
      if (communityId !== undefined && places.has(stream)) store.begin(communityId);
      else store.refresh(this.#communityOfStream(stream));
    }
  }

  #apply(event: Exclude<ReceivedCommunityEvent, PostNews>): void {
    const { store, followed } = this.#options;
    if (isOfMessages(event)) return this.#applyMessage(event);
    if (isOfReading(event)) return this.#applyReading(event);
    // It has a stream of its own now, which this client follows.
    if (event.op === 'CHANNEL_DELETE' && followed.hasOwnStream(event.d.id, event.t)) return;
    store.apply(event);
  }

  #applyReading(event: ReadingEvent): void {
    const { readStates, events } = this.#options;
    switch (event.op) {
      case 'READ_UPDATE':
        return readStates.read(event.d);
      case 'READ_UPDATE_MANY':
        return event.d.read_states.forEach((state) => readStates.read(state));
      case 'NOTIFICATION_SETTING_UPDATE':
        return readStates.chosen(event.d);
      case 'NOTIFICATION_CREATE':
        return events.emit('notification', event.d);
      case 'NOTIFICATION_UPDATE':
        return events.emit('notificationUpdate', event.d);
      case 'NOTIFICATION_READ':
        return events.emit('notificationsRead', event.d);
    }
  }

  #applyMessage(event: MessageEvent): void {
    const { store, readStates, events, ownId } = this.#options;
    const { channel_id: channelId } = event.d;
    if (event.op === 'MESSAGE_DELETE') readStates.deleted(channelId, [event.d.id]);
    if (event.op === 'MESSAGE_DELETE_MANY') readStates.deleted(channelId, event.d.ids);
    if (event.op !== 'MESSAGE_CREATE') return;
    const message = event.d;
    const isOwn = message.user !== undefined && message.user.id === ownId();
    const isMention = !isOwn && this.#mentionsMe(event);
    // READY may have counted it already.
    if (store.posted(channelId, message.id)) {
      readStates.posted(channelId, { id: message.id, isMention, isOwn });
    }
    const community_id = store.communityOf(channelId);
    events.emit('channelMessage', { community_id, message, isMention, isOwn });
  }

  #applyPost(event: PostNews, raw: unknown): void {
    const { store, readStates, posts, ownId } = this.#options;
    const { channel_id: channelId, id } = event.d;
    const place = { community_id: store.communityOf(channelId) };
    if (event.op !== 'POST_CREATE') {
      if (event.op === 'POST_DELETE') readStates.deleted(channelId, [id]);
      return posts.listener?.event(raw, { ...place, isMention: false, isOwn: false });
    }
    const isOwn = event.d.user.id === ownId();
    const isMention = !isOwn && (event.d.mentions ?? []).some((user) => user.id === ownId());
    if (store.posted(channelId, id)) readStates.posted(channelId, { id, isMention, isOwn });
    posts.listener?.event(raw, { ...place, isMention, isOwn });
  }

  #mentionsMe({ d }: Extract<MessageEvent, { op: 'MESSAGE_CREATE' }>): boolean {
    const { store, ownId } = this.#options;
    const { mentions = [], mention_roles: roleIds = [], mentions_all: all = false } = d;
    const communityId = store.communityOf(d.channel_id);
    const community = communityId === undefined ? undefined : store.get(communityId);
    const { role_ids: own = [] } = community?.membership ?? {};
    return (
      all || mentions.some(({ id }) => id === ownId()) || roleIds.some((id) => own.includes(id))
    );
  }

  #watched(raw: unknown): void {
    const { events, posts } = this.#options;
    const { data: event } = receivedWatchedEvent.safeParse(raw);
    switch (event?.op) {
      case 'WATCHED':
        posts.listener?.watches(event.d.posts);
        return events.emit('watched', event.d);
      case 'TYPING':
        return events.emit('typing', event.d);
      case 'PRESENCE':
        return events.emit('presence', event.d);
      case 'MEMBER_CREATE':
      case 'MEMBER_UPDATE':
        return events.emit('member', event.d);
      case 'MEMBER_DELETE':
        return events.emit('memberRemoved', event.d);
      case 'USER_UPDATE':
        return events.emit('user', event.d);
      case undefined:
        return posts.listener?.watchedEvent(raw);
    }
  }

  /** The person sees a restricted channel from now on. Never rejects. */
  async #gained(id: Id): Promise<void> {
    const { store, readChannel } = this.#options;
    try {
      const channel = await readChannel(id);
      if (this.#options.followed.hasStream(channelStream(id))) store.putChannel(channel);
    } catch (error) {
      // It is read with its community later, or it is hidden again.
      if (mayPass(error)) for (const community of store.all()) store.refresh(community.id);
    }
  }

  #communityOfStream(stream: string): Id | undefined {
    const channelId = idIn(stream, channelStream);
    if (channelId !== undefined) return this.#options.store.communityOf(channelId);
    return idIn(stream, communityStream);
  }
}

const MESSAGE_OPS = /^(MESSAGE|REACTION|PIN)_/;
const READING_OPS = /^(READ|NOTIFICATION)_/;

function isOfPosts(event: ReceivedCommunityEvent): event is PostNews {
  return event.op.startsWith('POST_');
}

function isOfMessages(event: ReceivedCommunityEvent): event is MessageEvent {
  return MESSAGE_OPS.test(event.op);
}

function isOfReading(event: ReceivedCommunityEvent): event is ReadingEvent {
  return READING_OPS.test(event.op);
}

/** The id in the name of a stream of one kind. */
function idIn(stream: string, nameOf: (id: Id) => string): Id | undefined {
  const id = parseId(stream.slice(stream.indexOf(':') + 1));
  return id !== undefined && nameOf(id) === stream ? id : undefined;
}
