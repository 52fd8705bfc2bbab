import type { Id } from '@hearth/protocol';
import {
  receivedPostEvent,
  receivedWatchedPostEvent,
  type ReceivedPostEvent,
  type ReceivedWatchedPostEvent,
} from '@hearth/protocol/received-posts';
import type { PostNews, PostsHost, PostsListener } from './posts-host.ts';

/** An event of one post: of itself, its comments, or the votes for them. */
export type OnePostEvent = ReceivedPostEvent | ReceivedWatchedPostEvent;

/** Somebody who shows one post. */
export interface PostFollower {
  /** Reports whether the gateway sends from now on what happens to the post. */
  watched(isWatched: boolean): void;
  event(event: OnePostEvent): void;
}

/** Reads what a gateway sends about posts, reports it, and gives it to those who show a post. */
export class PostFeed implements PostsListener {
  readonly host: PostsHost;
  readonly #followers = new Map<PostFollower, Id>();
  #watched: ReadonlySet<Id> = new Set();
  #wasOpen = false;

  constructor(host: PostsHost) {
    this.host = host;
    host.listen(this);
  }

  /** Gives `follower` what happens to a post, until the returned function is called. */
  follow(id: Id, follower: PostFollower): () => void {
    this.#followers.set(follower, id);
    if (this.#watched.has(id)) follower.watched(true);
    const unwatch = this.host.watcher.watchPost(id);
    return () => {
      if (this.#followers.delete(follower)) unwatch();
    };
  }

  opened(mayMiss: boolean): void {
    if (this.#wasOpen && mayMiss) this.host.events.emit('postsMissed', {});
    this.#wasOpen = true;
  }

  left(): void {
    this.watches([]);
  }

  watches(ids: readonly Id[]): void {
    this.#watched = new Set(ids);
    for (const [follower, id] of this.#followers) follower.watched(this.#watched.has(id));
  }

  event(raw: unknown, news: PostNews): void {
    const { data: event } = receivedPostEvent.safeParse(raw);
    if (event === undefined) return;
    this.#pass(event.d.id, event);
    const { events } = this.host;
    if (event.op === 'POST_CREATE') events.emit('post', { ...news, post: event.d });
    else if (event.op === 'POST_UPDATE') events.emit('postUpdate', event.d);
    else events.emit('postDelete', event.d);
  }

  watchedEvent(raw: unknown): void {
    const { data: event } = receivedWatchedPostEvent.safeParse(raw);
    if (event !== undefined) this.#pass(event.d.post_id, event);
  }

  #pass(id: Id, event: OnePostEvent): void {
    for (const [follower, followed] of this.#followers) if (followed === id) follower.event(event);
  }
}
