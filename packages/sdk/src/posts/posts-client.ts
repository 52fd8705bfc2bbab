import type {
  Crosspost,
  FoundAnywhere,
  Id,
  NewPost,
  PointRules,
  Points,
  Poll,
  PostChange,
  SearchFacets,
  Vote,
  Voted,
  VoteInput,
} from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import {
  receivedPointRules,
  receivedPoints,
  receivedPoll,
  receivedPostOfChannel,
  receivedVoted,
  type ReceivedPost,
} from '@hearth/protocol/received-posts';
import type { Api } from '../api.ts';
import { newNonce } from '../lobby/nonce.ts';
import { entriesOf, type Page } from '../pages.ts';
import type { RequestOptions } from '../types.ts';
import { CommentsClient } from './comments-client.ts';
import type { LivePostOptions } from './events.ts';
import { LivePost } from './live-post.ts';
import type { PostFeed, PostFollower } from './post-feed.ts';
import { listPosts, type PostPlace, type PostQuery } from './post-pages.ts';
import type { FoundPage } from '../find-page.ts';
import {
  countFound,
  searchAll,
  searchPosts,
  type CountedSearch,
  type PostSearch,
  type WholeSearch,
} from './search-posts.ts';
import { listVotes, type VotesQuery } from './votes-page.ts';

/**
 * The requests of a client about posts. All requests throw the typed errors of RestClient; what the person does not see
 * is a NotFoundError.
 */
export class PostsClient {
  readonly comments: CommentsClient;
  readonly #api: Api;
  readonly #feed: PostFeed;

  /** @internal */
  constructor(api: Api, feed: PostFeed) {
    this.#api = api;
    this.#feed = feed;
    this.comments = new CommentsClient(api);
  }

  /**
   * A page of posts, with the beginning of each text. `next` of a page is the `cursor` of the next one.
   *
   * @example const { entries, next } = await client.posts.list({ channel_id }, { sort: 'top', since: 'week' });
   */
  list(
    place: PostPlace,
    query: PostQuery = {},
    options: RequestOptions = {},
  ): Promise<Page<ReceivedPost>> {
    return listPosts(this.#api, place, { ...query, ...options });
  }

  /** All of them, page by page. */
  all(
    place: PostPlace,
    query: PostQuery = {},
    options: RequestOptions = {},
  ): AsyncGenerator<ReceivedPost, void, undefined> {
    return entriesOf((cursor) => this.list(place, { ...query, cursor }, options));
  }

  /**
   * Searches the titles, texts and addresses of posts, the newest first; `comments.search` searches comments.
   *
   * @example const { entries, next } = await client.posts.search({ community, text: 'old oak', from: 'ada' });
   */
  search(search: PostSearch, options: RequestOptions = {}): Promise<FoundPage<ReceivedPost>> {
    return searchPosts(this.#api, search, options);
  }

  /**
   * Searches messages, posts and comments together, the newest first: in the lobby and all communities of the person, unless a place
   * or a community is named.
   *
   * @example const { entries, next } = await client.posts.searchAll({ text: 'old oak' });
   */
  searchAll(search: WholeSearch, options: RequestOptions = {}): Promise<FoundPage<FoundAnywhere>> {
    return searchAll(this.#api, search, options);
  }

  /**
   * Counts what `searchAll` finds by kind, place and author. If `more` is true, there are more than were counted.
   *
   * @example const { total, more, places } = await client.posts.countFound({ text: 'old oak' });
   */
  countFound(search: CountedSearch, options: RequestOptions = {}): Promise<SearchFacets> {
    return countFound(this.#api, search, options);
  }

  /**
   * Posts in a channel. If no answer comes, it is sent again, and still posted once. Throws RateLimitedError in slow mode.
   *
   * @example await client.posts.create(channelId, { title: 'Which oak?', content: 'I have **two**.' });
   */
  create(channelId: Id, post: NewPost, { signal }: RequestOptions = {}): Promise<ReceivedPost> {
    const { nonce = newNonce() } = post;
    return this.#api.request({
      method: 'POST',
      path: '/channels/:channel_id/posts',
      params: { channel_id: channelId },
      limit: 'message_send',
      isRepeatable: true,
      hasOwnPace: true,
      body: { ...post, nonce },
      answers: receivedPostOfChannel,
      signal,
    });
  }

  /** A post with all of its text. */
  find(id: Id, { signal }: RequestOptions = {}): Promise<ReceivedPost> {
    return this.#api.request({
      method: 'GET',
      path: '/posts/:id',
      params: { id },
      limit: 'read',
      answers: receivedPostOfChannel,
      signal,
    });
  }

  /**
   * Shows a post and its comments, and keeps both up to date until it is closed.
   *
   * @example using post = client.posts.open(id); post.on('change', () => draw(post.post, post.comments));
   */
  open(id: Id, options: LivePostOptions = {}): LivePost {
    return new LivePost({ ...options, id, posts: this, feed: this.#feed });
  }

  /**
   * Reports what happens to a post, its comments and their votes, until the returned function is called. For programs that keep
   * the tree themselves: read it each time that `watched` says true, because what happened before may be missing.
   */
  follow(id: Id, follower: PostFollower): () => void {
    return this.#feed.follow(id, follower);
  }

  /** Changes what is given, and null clears it. Moderators may pin, lock and mark posts of others. */
  change(id: Id, body: PostChange, { signal }: RequestOptions = {}): Promise<ReceivedPost> {
    return this.#api.request({
      method: 'PATCH',
      path: '/posts/:id',
      params: { id },
      limit: 'write',
      body,
      answers: receivedPostOfChannel,
      signal,
    });
  }

  /** Deletes a post with its comments; moderators may delete those of others. */
  async remove(id: Id, { signal }: RequestOptions = {}): Promise<void> {
    const path = '/posts/:id';
    const shared = { method: 'DELETE', limit: 'write', answers: receivedNothing } as const;
    await this.#api.request({ ...shared, path, params: { id }, signal });
  }

  /** Votes for a post: 1, -1, or 0 to take the vote back. Returns the totals. Throws ForbiddenError: `downvotes_off`, `post_locked`. */
  vote(id: Id, value: VoteInput['value'], { signal }: RequestOptions = {}): Promise<Voted> {
    return this.#api.request({
      method: 'PUT',
      path: '/posts/:id/vote',
      params: { id },
      limit: 'vote',
      isRepeatable: true,
      body: { value },
      answers: receivedVoted,
      signal,
    });
  }

  /** Lists who voted for a post; for members with VIEW_VOTES. */
  votes(id: Id, query: VotesQuery & RequestOptions = {}): Promise<readonly Vote[]> {
    return listVotes(this.#api, { kind: 'posts', id }, query);
  }

  /** Chooses options of a post's poll; none takes the vote back. Throws ConflictError with the code `poll_ended`. */
  votePoll(id: Id, optionIds: readonly Id[], { signal }: RequestOptions = {}): Promise<Poll> {
    return this.#api.request({
      method: 'PUT',
      path: '/posts/:id/poll',
      params: { id },
      limit: 'vote',
      isRepeatable: true,
      body: { option_ids: optionIds },
      answers: receivedPoll,
      signal,
    });
  }

  /** Accepts a comment as the answer to a question; null takes that back. */
  accept(id: Id, commentId: Id | null, { signal }: RequestOptions = {}): Promise<ReceivedPost> {
    return this.#api.request({
      method: 'PUT',
      path: '/posts/:id/accepted',
      params: { id },
      limit: 'write',
      body: { comment_id: commentId },
      answers: receivedPostOfChannel,
      signal,
    });
  }

  /** Posts a post again, in another channel. */
  crosspost(id: Id, body: Crosspost, { signal }: RequestOptions = {}): Promise<ReceivedPost> {
    const { nonce = newNonce() } = body;
    return this.#api.request({
      method: 'POST',
      path: '/posts/:id/crosspost',
      params: { id },
      limit: 'message_send',
      isRepeatable: true,
      hasOwnPace: true,
      body: { ...body, nonce },
      answers: receivedPostOfChannel,
      signal,
    });
  }

  /** Keeps a post in the person's list of saved ones. */
  save(id: Id, options: RequestOptions = {}): Promise<void> {
    return this.#setSaved('PUT', id, options);
  }

  unsave(id: Id, options: RequestOptions = {}): Promise<void> {
    return this.#setSaved('DELETE', id, options);
  }

  /** The person has seen the comments: `new_comments` counts from here. */
  async markRead(id: Id, { signal }: RequestOptions = {}): Promise<void> {
    const path = '/posts/:id/read';
    const shared = { method: 'PUT', limit: 'write', answers: receivedNothing } as const;
    await this.#api.request({ ...shared, path, params: { id }, signal });
  }

  /** The points of somebody, as far as the person sees the communities. */
  points(userId: Id, { signal }: RequestOptions = {}): Promise<Points> {
    const path = '/users/:user_id/points';
    const shared = { method: 'GET', limit: 'read', answers: receivedPoints } as const;
    return this.#api.request({ ...shared, path, params: { user_id: userId }, signal });
  }

  /** By which rules points are earned in a community. */
  pointRules(communityId: Id, { signal }: RequestOptions = {}): Promise<PointRules> {
    const path = '/communities/:community_id/point-rules';
    const shared = { method: 'GET', limit: 'read', answers: receivedPointRules } as const;
    return this.#api.request({ ...shared, path, params: { community_id: communityId }, signal });
  }

  async #setSaved(method: 'PUT' | 'DELETE', id: Id, { signal }: RequestOptions): Promise<void> {
    const path = '/posts/:id/save';
    const shared = { limit: 'write', answers: receivedNothing } as const;
    await this.#api.request({ ...shared, method, path, params: { id }, signal });
  }
}
