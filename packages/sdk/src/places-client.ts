import type { Id } from '@hearth/protocol';
import { AccountClient } from './account-client.ts';
import type { ChannelClient } from './channels/channel-client.ts';
import type { CommunitiesClient } from './communities/communities-client.ts';
import type { CommunitiesPart } from './communities/part.ts';
import type { Watched } from './communities/watcher.ts';
import { HearthError } from './errors.ts';
import type { NotificationsClient } from './notifications.ts';
import type { PartHost } from './part-host.ts';
import type { PostsClient } from './posts/posts-client.ts';
import type { PostsHost } from './posts/posts-host.ts';

/**
 * The part of a client for communities and their channels. `connect` and `createClient` make clients that have it; one
 * of
 * `createLightClient` throws HearthError until `addCommunities` was called.
 */
export abstract class PlacesClient extends AccountClient {
  protected abstract readonly host: PartHost;
  #part: CommunitiesPart | undefined;

  /** The communities of the person who is signed in, and what that person does with communities. Needs gateway profile 2 to be up to date. */
  get communities(): CommunitiesClient {
    return this.#communitiesPart.communities;
  }

  /** Notifications of the person who is signed in, such as mentions. */
  get notifications(): NotificationsClient {
    return this.#communitiesPart.notifications;
  }

  /** Posts, comments and votes. A client of `createLightClient` throws HearthError until `addPosts` was called. */
  get posts(): PostsClient {
    return this.#communitiesPart.posts;
  }

  /**
   * One channel of a community; always the same object.
   *
   * @example client.channel(id).on('message', ({ author, content }) => console.log(author, content));
   */
  channel(id: Id): ChannelClient {
    return this.#communitiesPart.channel(id);
  }

  /**
   * Watches this and nothing else, also after reconnections: who writes in channels (`typing`), and who is there, joins, leaves
   * and changes in communities (`presence`, `member`, `memberRemoved`, `user`). `watched` reports how that is at present.
   */
  watch(watched: Watched): void {
    this.#communitiesPart.watch(watched);
  }

  /** Sends how far channels were read now, for example before a page is left. */
  flushReadMarks(): void {
    this.#part?.flushReadMarks();
  }

  /** @internal */
  add(part: (host: PartHost) => CommunitiesPart): CommunitiesClient {
    this.#part ??= part(this.host);
    return this.#part.communities;
  }

  /** @internal */
  addPosts(make: (host: PostsHost) => PostsClient): PostsClient {
    return this.#communitiesPart.addPosts(make);
  }

  get #communitiesPart(): CommunitiesPart {
    if (this.#part === undefined) throw new HearthError('Communities are not loaded yet');
    return this.#part;
  }
}
