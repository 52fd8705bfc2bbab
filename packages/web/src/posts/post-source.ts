import type {
  Comment,
  CommentSort,
  Id,
  NewComment,
  NewPost,
  Poll,
  Post,
  PostChange,
  PostPeriod,
  PostSort,
  Totals,
  Vote,
  Voted,
} from '@hearth/protocol';
import type { Page } from '../communities/page.ts';

/** A vote, or that there is none. */
export type VoteValue = 1 | 0 | -1;

/** Something that people have voted on. */
export interface VotedOn {
  readonly kind: 'post' | 'comment';
  readonly id: Id;
}

/** Whose posts a list has. */
export type ListPlace =
  | { readonly kind: 'channel'; readonly id: Id }
  | { readonly kind: 'community'; readonly id: Id }
  | { readonly kind: 'user'; readonly id: Id }
  | { readonly kind: 'saved' }
  | { readonly kind: 'feed' };

/** Which posts a list has, and in which order. */
export interface ListChoice {
  readonly sort: PostSort;
  /** With `top` and `controversial` only. */
  readonly since?: PostPeriod | undefined;
  readonly tag?: Id | undefined;
}

/** Which comments are asked for. */
export interface CommentsQuery {
  readonly sort: CommentSort;
  readonly under?: Id | undefined;
  readonly cursor?: string | undefined;
}

/** The requests of the page to the instance about posts. Everything throws. */
export interface PostRequests {
  list(
    place: ListPlace,
    choice: ListChoice & { readonly cursor?: string | undefined },
  ): Promise<Page<Post>>;
  find(id: Id): Promise<Post>;
  /** The present slug of a community. */
  slugOf(community: Id): Promise<string>;
  create(channel: Id, post: NewPost): Promise<Post>;
  change(id: Id, change: PostChange): Promise<Post>;
  remove(id: Id): Promise<unknown>;
  vote(id: Id, value: VoteValue): Promise<Voted>;
  /** Reads who voted how: those of accounts before one, the newest first. For those who may see that. */
  votes(
    on: VotedOn,
    range: { readonly before: Id | undefined; readonly limit: number },
  ): Promise<readonly Vote[]>;
  save(id: Id, isSaved: boolean): Promise<unknown>;
  votePoll(id: Id, options: readonly Id[]): Promise<Poll | undefined>;
  accept(id: Id, comment: Id | null): Promise<Post>;
  /** The reader has seen its comments. */
  markRead(id: Id): Promise<unknown>;

  comments(post: Id, query: CommentsQuery): Promise<Page<Comment>>;
  /** A comment after so many of those above it. */
  context(comment: Id, above: number): Promise<readonly Comment[]>;
  comment(post: Id, comment: NewComment): Promise<Comment>;
  changeComment(id: Id, content: string): Promise<Comment>;
  removeComment(id: Id): Promise<unknown>;
  voteComment(id: Id, value: VoteValue): Promise<Voted>;
  /** Reads what somebody has written, the newest first. */
  commentsOf(user: Id, cursor: string | undefined): Promise<Page<Comment>>;
}

/** The reports of the instance about posts. */
export interface PostEvents {
  readonly post: Post;
  readonly postUpdate: Post;
  readonly postDelete: { readonly channel_id: Id; readonly id: Id };
  readonly comment: Comment & { readonly comment_count: number };
  readonly commentUpdate: Comment;
  readonly commentDelete: {
    readonly post_id: Id;
    readonly id: Id;
    readonly also?: readonly Id[];
    readonly comment_count: number;
  };
  readonly score: Totals & { readonly post_id: Id; readonly comment_id?: Id };
  /** Posts may have come that were not reported: lists have to be read again. */
  readonly gap: undefined;
  /** Events of the comments on an open post may have been missed. */
  readonly missed: Id;
}

/** The source of posts. */
export interface PostSource {
  readonly requests: PostRequests;
  on<Name extends keyof PostEvents>(
    name: Name,
    listener: (event: PostEvents[Name]) => void,
  ): () => void;
  /** From now on, comments on this post are reported, until the returned function is called. Resolves when they are. */
  watch(post: Id): { readonly begun: Promise<void>; readonly stop: () => void };
}
