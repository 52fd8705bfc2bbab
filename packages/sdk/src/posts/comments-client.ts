import type { CommentSort, Id, Vote, Voted, VoteInput } from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import {
  receivedComment,
  receivedComments,
  receivedVoted,
  type ReceivedComment,
} from '@hearth/protocol/received-posts';
import type { Api } from '../api.ts';
import { newNonce } from '../lobby/nonce.ts';
import { pageOf, type Page, type PageQuery } from '../pages.ts';
import type { RequestOptions } from '../types.ts';
import type { FoundPage } from '../find-page.ts';
import { searchComments, type PostSearch } from './search-posts.ts';
import { listVotes, type VotesQuery } from './votes-page.ts';

/** Which part of the tree. */
export interface CommentQuery extends PageQuery {
  readonly sort?: CommentSort | undefined;
  /** The number of levels, 8 by default. */
  readonly depth?: number | undefined;
  /** Only what replies to this comment, without that comment itself. */
  readonly under?: Id | undefined;
}

/** A comment to write. */
export interface CommentDraft {
  readonly content: string;
  /** The comment that it replies to; without one, it replies to the post. */
  readonly parent_id?: Id | undefined;
  /** Without one, the client makes one. */
  readonly nonce?: string | undefined;
}

/** Comments on posts. */
export class CommentsClient {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Searches the texts of comments, the newest first. */
  search(search: PostSearch, options: RequestOptions = {}): Promise<FoundPage<ReceivedComment>> {
    return searchComments(this.#api, search, options);
  }

  /**
   * A page of the tree: each comment before its replies. If a comment has more replies than the page shows, `under` lists them;
   * `next` goes on with the comments after the last one at the level that was asked for.
   */
  async list(
    postId: Id,
    query: CommentQuery = {},
    { signal }: RequestOptions = {},
  ): Promise<Page<ReceivedComment>> {
    const answer = await this.#api.requestWithHeaders({
      method: 'GET',
      path: '/posts/:post_id/comments',
      params: { post_id: postId },
      limit: 'list',
      query: { ...query },
      answers: receivedComments,
      signal,
    });
    return pageOf(answer);
  }

  /** A page of the comments that somebody has written, the newest first. */
  async ofUser(
    userId: Id,
    { signal, cursor, limit }: PageQuery & RequestOptions = {},
  ): Promise<Page<ReceivedComment>> {
    const answer = await this.#api.requestWithHeaders({
      method: 'GET',
      path: '/users/:user_id/comments',
      params: { user_id: userId },
      limit: 'list',
      query: { cursor, limit },
      answers: receivedComments,
      signal,
    });
    return pageOf(answer);
  }

  /**
   * Comments on a post, or replies to a comment. If no answer comes, it is sent again, and still written once. Throws ForbiddenError
   * with the code `post_locked`.
   *
   * @example await client.posts.comments.create(post.id, { content: 'Well said', parent_id: comment.id });
   */
  create(
    postId: Id,
    comment: string | CommentDraft,
    { signal }: RequestOptions = {},
  ): Promise<ReceivedComment> {
    const draft = typeof comment === 'string' ? { content: comment } : comment;
    const { nonce = newNonce() } = draft;
    return this.#api.request({
      method: 'POST',
      path: '/posts/:post_id/comments',
      params: { post_id: postId },
      limit: 'write',
      isRepeatable: true,
      hasOwnPace: true,
      body: { ...draft, nonce },
      answers: receivedComment,
      signal,
    });
  }

  /** Replies to a comment. */
  reply(
    to: Pick<ReceivedComment, 'id' | 'post_id'>,
    content: string,
    options: RequestOptions = {},
  ): Promise<ReceivedComment> {
    return this.create(to.post_id, { content, parent_id: to.id }, options);
  }

  /** A comment, after up to `context` of those that it replies to, the outermost first. */
  context(
    id: Id,
    { context, signal }: RequestOptions & { readonly context?: number } = {},
  ): Promise<readonly ReceivedComment[]> {
    return this.#api.request({
      method: 'GET',
      path: '/comments/:id',
      params: { id },
      limit: 'read',
      query: { context },
      answers: receivedComments,
      signal,
    });
  }

  /** Changes the text of one of the person's own comments. */
  change(id: Id, content: string, { signal }: RequestOptions = {}): Promise<ReceivedComment> {
    return this.#api.request({
      method: 'PATCH',
      path: '/comments/:id',
      params: { id },
      limit: 'write',
      body: { content },
      answers: receivedComment,
      signal,
    });
  }

  /** Deletes a comment; moderators may delete those of others. One that has replies keeps its place. */
  async remove(id: Id, { signal }: RequestOptions = {}): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/comments/:id',
      params: { id },
      limit: 'write',
      answers: receivedNothing,
      signal,
    });
  }

  /** Votes for a comment: 1, -1, or 0 to take the vote back. Returns the totals. */
  vote(id: Id, value: VoteInput['value'], { signal }: RequestOptions = {}): Promise<Voted> {
    return this.#api.request({
      method: 'PUT',
      path: '/comments/:id/vote',
      params: { id },
      limit: 'vote',
      isRepeatable: true,
      body: { value },
      answers: receivedVoted,
      signal,
    });
  }

  /** Lists who voted for a comment; for members with VIEW_VOTES. */
  votes(id: Id, query: VotesQuery & RequestOptions = {}): Promise<readonly Vote[]> {
    return listVotes(this.#api, { kind: 'comments', id }, query);
  }
}
