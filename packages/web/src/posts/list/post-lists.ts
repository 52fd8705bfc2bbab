import type { Id, Post } from '@hearth/protocol';
import { keepNewest } from '../keep-newest.ts';
import type { KnownPosts } from '../known-posts.ts';
import { PostList } from './post-list.ts';
import type { ListChoice, ListPlace, PostRequests } from '../post-source.ts';
import { CommentList, type ReadComments } from '../user/comment-list.ts';

/** The number of lists that stay as the reader left them. */
const MOST_LISTS = 12;

/** The number of posts of the reader that come first in lists that do not have them yet. */
const MOST_WRITTEN = 20;

interface ListsOptions {
  readonly requests: PostRequests;
  readonly known: KnownPosts;
  /** The account that reads; undefined for a visitor. */
  readonly owner: Id | undefined;
}

/** The lists of posts and comments, as the reader left them. */
export class PostLists {
  readonly #options: ListsOptions;
  readonly #lists = new Map<string, PostList>();
  readonly #comments = new Map<string, CommentList>();
  readonly #written = new Map<Id, Post>();

  constructor(options: ListsOptions) {
    this.#options = options;
  }

  /** A list as the reader left it, or from its beginning. */
  of(place: ListPlace, choice: ListChoice): PostList {
    const key = JSON.stringify([place, choice.sort, choice.since, choice.tag]);
    const list = this.#lists.get(key) ?? this.#make(place, choice);
    keepNewest({ map: this.#lists, most: MOST_LISTS }, key, list);
    return list;
  }

  /** Returns what somebody has written, as the reader left it. */
  commentsOf(user: Id): CommentList {
    const read: ReadComments = (cursor) => this.#options.requests.commentsOf(user, cursor);
    const list = this.#comments.get(user) ?? new CommentList(read);
    keepNewest({ map: this.#comments, most: MOST_LISTS }, user, list);
    return list;
  }

  /** A post was written. */
  hear(post: Post): void {
    const isOwn = post.user.id === this.#options.owner;
    if (isOwn) keepNewest({ map: this.#written, most: MOST_WRITTEN }, post.id, post);
    for (const list of this.#lists.values()) list.hear(post, isOwn);
  }

  /** A post was deleted. */
  forget(id: Id): void {
    this.#written.delete(id);
    for (const list of this.#lists.values()) list.remove(id);
  }

  /** The reader has saved a post. */
  putSaved(id: Id): void {
    for (const list of this.#lists.values()) if (list.place.kind === 'saved') list.put(id);
  }

  /** Posts may have been written that were not reported. */
  refresh(): void {
    for (const list of this.#lists.values()) void list.refresh();
  }

  #make(place: ListPlace, choice: ListChoice): PostList {
    const concerns = (post: Post) => {
      if (choice.tag !== undefined && post.tag_ids?.includes(choice.tag) !== true) return false;
      if (place.kind === 'channel') return post.channel_id === place.id;
      if (place.kind === 'saved') return false;
      if (place.kind === 'user') return post.user.id === place.id;
      return place.kind === 'feed' || post.community_id === place.id;
    };
    const { requests, known } = this.#options;
    const written = () => [...this.#written.values()].toReversed();
    return new PostList({ requests, known, place, choice, concerns, written });
  }
}
