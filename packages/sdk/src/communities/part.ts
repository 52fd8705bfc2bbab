import type { Id } from '@hearth/protocol';
import type { Api } from '../api.ts';
import { ChannelClient } from '../channels/channel-client.ts';
import type { ChannelContext } from '../channels/channel-context.ts';
import { FollowedChannels } from '../channels/followed-channels.ts';
import { MarkQueue } from '../channels/mark-queue.ts';
import type { PostsClient } from '../posts/posts-client.ts';
import type { PostsHost } from '../posts/posts-host.ts';
import { PostsSlot } from '../posts/posts-slot.ts';
import { ReadStates } from '../channels/read-states.ts';
import { listReadStates, markChannel } from '../channels/reading.ts';
import type { PartHost } from '../part-host.ts';
import { NotificationsClient } from '../notifications.ts';
import { CommunitiesClient } from './communities-client.ts';
import { CommunityFeed } from './community-feed.ts';
import { readOwnCommunity } from './own-communities.ts';
import { CommunityStore } from './store.ts';
import { Watcher, type Watched } from './watcher.ts';

/** The part of a client that knows communities. */
export class CommunitiesPart {
  readonly communities: CommunitiesClient;
  readonly notifications: NotificationsClient;
  readonly #posts: PostsSlot;
  readonly #context: ChannelContext;
  readonly #watcher: Watcher;
  readonly #channels = new Map<Id, ChannelClient>();

  constructor(host: PartHost) {
    const { api, events, clock, life, ownId } = host;
    const store: CommunityStore = new CommunityStore({
      ...host,
      onForgotten: (ids) => readStates.forget(ids),
      onBegun: (ids) => {
        // Nobody has counted the mentions in what came before.
        if (ids.some((id) => readStates.of(id).isUnread)) void readStatesAgain();
      },
      readOwn: (id, signal) => readOwnCommunity(api, id, { signal }),
    });
    const readStates: ReadStates = new ReadStates({ events, store });
    // If this fails, the next READY shows them.
    const readStatesAgain = async () => {
      const states = await listReadStates(api).catch(() => []);
      readStates.update(states);
    };
    const followed = new FollowedChannels(store);
    this.communities = new CommunitiesClient({ api, store, readStates });
    this.notifications = new NotificationsClient(api);
    const { channels } = this.communities;
    const marks = new MarkQueue({ clock, life, send: sendMark(api, readStates) });
    this.#watcher = new Watcher({ clock, life, send: (payload) => host.send(payload) });
    this.#context = { ...host, store, channels, readStates, marks, followed };
    this.#posts = new PostsSlot({ ...host, watcher: this.#watcher });
    events.on('channelRemoved', ({ id }) => followed.removed(id));
    events.on('community', () => followed.connect());
    host.attach(
      new CommunityFeed({
        events,
        store,
        readStates,
        followed,
        watcher: this.#watcher,
        posts: this.#posts,
        ownId,
        readChannel: (id) => channels.find(id),
        readStatesAgain,
      }),
    );
  }

  /** One channel; always the same object. */
  channel(id: Id): ChannelClient {
    const known = this.#channels.get(id) ?? new ChannelClient(id, this.#context);
    this.#channels.set(id, known);
    return known;
  }

  /** The requests of a client about posts. Throws HearthError until that is loaded. */
  get posts(): PostsClient {
    return this.#posts.client;
  }

  /** Adds it, once. */
  addPosts(make: (host: PostsHost) => PostsClient): PostsClient {
    return this.#posts.fill(make);
  }

  watch(watched: Watched): void {
    this.#watcher.watch(watched);
  }

  flushReadMarks(): void {
    this.#context.marks.flush();
  }
}

function sendMark(api: Api, readStates: ReadStates) {
  return async (channelId: Id, id: Id): Promise<void> => {
    try {
      const mark = { channel_id: channelId, last_read_id: id };
      readStates.taken(id, await markChannel(api, mark));
    } catch (error) {
      readStates.notRead(channelId);
      throw error;
    }
  };
}
