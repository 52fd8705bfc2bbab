import type { Id, NewPost, Post, PostChange, Vote } from '@hearth/protocol';
import { ConflictError, type SdkClock } from '@hearth/sdk';
import type { PagedList } from '../communities/paged-list.ts';
import { Search } from '../search/search.ts';
import { ChannelDetails } from './channel-details.ts';
import { keepNewest } from './keep-newest.ts';
import { KnownPosts } from './known-posts.ts';
import { Thread } from './comments/thread.ts';
import type { PostList } from './list/post-list.ts';
import { PostLists } from './list/post-lists.ts';
import { PollEnds } from './post/poll-ends.ts';
import { postPath } from './post-paths.ts';
import type {
  ListChoice,
  ListPlace,
  PostSearch,
  PostSource,
  VotedOn,
  VoteValue,
} from './post-source.ts';
import type { CommentList } from './user/comment-list.ts';
import { voterList } from './voters/voter-list.ts';
import { keepingVotes, VoteSender, withTotals, withVote } from './votes.ts';

/** How many open posts stay. */
const MOST_THREADS = 8;

interface PostsOptions {
  readonly source: PostSource;
  readonly clock: SdkClock;
  /** The account that reads; undefined for a visitor. */
  readonly owner: Id | undefined;
  /** Says why something that was shown at once has failed. */
  readonly fail: (error: unknown) => void;
  readonly nonce: () => string;
  readonly lastRead: (channel: Id) => Id | undefined;
}

/** The posts of an instance: those that are known, the lists of them, and those that are open. */
export class Posts implements Disposable {
  readonly known = new KnownPosts();
  readonly details = new ChannelDetails();
  readonly pollEnds: PollEnds;
  /** Up to where the reader has read a channel. */
  readonly lastRead: (channel: Id) => Id | undefined;
  readonly #options: PostsOptions;
  readonly #votes = new VoteSender();
  readonly #lists: PostLists;
  readonly #messages = new Map<Id, Search>();
  readonly #threads = new Map<Id, Thread>();
  readonly #offs: readonly (() => void)[];

  constructor(options: PostsOptions) {
    const { owner, clock } = options;
    const requests = keepingVotes(options.source.requests, this.#votes);
    const source = { ...options.source, requests };
    this.#options = { ...options, source };
    const find = (id: Id) => source.requests.find(id);
    this.pollEnds = new PollEnds({ clock, known: this.known, find });
    this.#lists = new PostLists({ requests: source.requests, known: this.known, owner });
    this.lastRead = options.lastRead;
    this.#offs = [
      source.on('post', (post) => this.#hear(post)),
      source.on('postUpdate', (post) => this.known.hear(post)),
      source.on('postDelete', ({ id }) => this.#forget(id)),
      source.on('comment', (comment) => this.#threads.get(comment.post_id)?.hear(comment)),
      source.on('commentUpdate', (comment) => {
        this.#threads.get(comment.post_id)?.tree.update(comment, true);
      }),
      source.on('commentDelete', (gone) => this.#threads.get(gone.post_id)?.hearRemoval(gone)),
      source.on('score', ({ post_id: id, ...score }) => {
        if (score.comment_id === undefined)
          this.known.change(id, (post) => withTotals(post, score));
        else this.#threads.get(id)?.hearScore({ post_id: id, ...score });
      }),
      source.on(
        'missed',
        (id) => void this.#threads.get(id)?.open(this.#threads.get(id)?.linked.peek()),
      ),
      source.on('gap', () => this.#lists.refresh()),
    ];
  }

  /** A list as the reader left it, or from its beginning. */
  list(place: ListPlace, choice: ListChoice): PostList {
    return this.#lists.of(place, choice);
  }

  /** What somebody has written, as the reader left it. */
  commentsOf(user: Id): CommentList {
    return this.#lists.commentsOf(user);
  }

  /** The comments that a search finds, as the reader left them. */
  commentsWith(search: PostSearch): CommentList {
    return this.#lists.commentsWith(search);
  }

  /** The search of the messages of a community, as the reader left it. */
  messagesOf(community: Id): Search {
    const { source, clock } = this.#options;
    const known = this.#messages.get(community);
    if (known !== undefined) return known;
    const search = new Search(source.messagesOf(community), clock);
    this.#messages.set(community, search);
    return search;
  }

  /** An open post as the reader left it, or a new one. */
  thread(id: Id): Thread {
    const { source, owner, fail, nonce } = this.#options;
    const known = this.#threads.get(id);
    const thread =
      known ??
      new Thread({ id, source, known: this.known, votes: this.#votes, owner, fail, nonce });
    keepNewest({ map: this.#threads, most: MOST_THREADS }, id, thread);
    return thread;
  }

  /** Reads a post as it is now, and follows its comments until the returned function is called. */
  open(id: Id, comment: Id | undefined): () => void {
    const { source } = this.#options;
    const thread = this.thread(id);
    const { begun, stop } = source.watch(id);
    // What is read after comments are reported lacks none.
    void begun.then(() => thread.open(comment)).then(() => this.#markRead(id));
    return () => {
      stop();
      void this.#markRead(id);
    };
  }

  /** Never rejects. */
  async vote(id: Id, value: VoteValue): Promise<void> {
    const { source, fail } = this.#options;
    await this.#votes.cast(id, {
      value,
      before: this.known.at(id).peek()?.my_vote ?? 0,
      show: (shown) => this.known.change(id, (post) => withVote(post, shown)),
      send: (sent) => source.requests.vote(id, sent),
      showTotals: (totals) => this.known.change(id, (post) => withTotals(post, totals)),
      fail,
    });
  }

  /** Who voted how, for those who may see that. */
  voters(on: VotedOn): PagedList<Vote> {
    return voterList(this.#options.source.requests, on);
  }

  /** Saves a post, or does not keep it any more. It shows at once. Never rejects. */
  async save(id: Id, isSaved: boolean): Promise<void> {
    await this.#act(
      id,
      ({ saved: _saved, ...post }) => ({ ...post, ...(isSaved && { saved: true as const }) }),
      (requests) => requests.save(id, isSaved),
    );
    if (isSaved) this.#lists.putSaved(id);
  }

  /** Never rejects. */
  async votePoll(id: Id, options: readonly Id[]): Promise<void> {
    const { source, fail } = this.#options;
    try {
      const poll = await source.requests.votePoll(id, options);
      if (poll !== undefined) this.known.change(id, (post) => ({ ...post, poll }));
    } catch (error) {
      fail(error);
      // It has ended while it was shown.
      if (!(error instanceof ConflictError)) return;
      await source.requests.find(id).then((post) => this.known.learn(post), fail);
    }
  }

  /** Marks a comment as the answer, or none. Never rejects. */
  async accept(id: Id, comment: Id | null): Promise<void> {
    await this.#act(
      id,
      ({ accepted_comment_id: _id, ...post }) => ({
        ...post,
        ...(comment !== null && { accepted_comment_id: comment }),
      }),
      async (requests) => this.known.learn(await requests.accept(id, comment)),
    );
  }

  /** The path of a post of any community; undefined if it is not there for the reader. Never rejects. */
  async pathOf(id: Id): Promise<string | undefined> {
    const { requests } = this.#options.source;
    try {
      const post = this.known.at(id).peek() ?? (await requests.find(id));
      this.known.learn(post);
      return postPath(await requests.slugOf(post.community_id), post);
    } catch {
      return undefined;
    }
  }

  /** Pins, locks or marks a post. Never rejects. */
  async mark(id: Id, change: Pick<PostChange, 'pinned' | 'locked' | 'spoiler' | 'sensitive'>) {
    await this.#act(
      id,
      (post) => marked(post, change),
      async (requests) => this.known.learn(await requests.change(id, change)),
    );
  }

  /** Throws. */
  async change(id: Id, change: PostChange): Promise<void> {
    this.known.learn(await this.#options.source.requests.change(id, change));
  }

  /** Throws. */
  async create(channel: Id, post: NewPost): Promise<Post> {
    const { source, nonce } = this.#options;
    const made = await source.requests.create(channel, { nonce: nonce(), ...post });
    this.#hear(made);
    return made;
  }

  /** Whether it is gone. Never rejects. */
  async remove(id: Id): Promise<boolean> {
    try {
      await this.#options.source.requests.remove(id);
      this.#forget(id);
      return true;
    } catch (error) {
      this.#options.fail(error);
      return false;
    }
  }

  [Symbol.dispose](): void {
    for (const off of this.#offs) off();
  }

  #hear(post: Post): void {
    this.known.hear(post);
    this.#lists.hear(post);
  }

  #forget(id: Id): void {
    this.known.forget(id);
    this.#lists.forget(id);
  }

  /** Shows a change at once, and takes it back if it fails. */
  async #act(
    id: Id,
    how: (post: Post) => Post,
    send: (requests: PostSource['requests']) => Promise<unknown>,
  ): Promise<void> {
    const before = this.known.at(id).peek();
    this.known.change(id, how);
    try {
      await send(this.#options.source.requests);
    } catch (error) {
      if (before !== undefined) this.known.change(id, () => before);
      this.#options.fail(error);
    }
  }

  async #markRead(id: Id): Promise<void> {
    const { owner, source } = this.#options;
    if (owner === undefined || this.known.at(id).peek() === undefined) return;
    this.known.change(id, ({ new_comments: _count, ...post }) => post);
    // It is only a mark.
    await source.requests.markRead(id).catch(() => {});
  }
}

function marked(post: Post, change: PostChange): Post {
  const { pinned: _1, locked: _2, spoiler: _3, sensitive: _4, ...rest } = post;
  const is = (name: 'pinned' | 'locked' | 'spoiler' | 'sensitive') => change[name] ?? post[name];
  return {
    ...rest,
    ...(is('pinned') === true && { pinned: true }),
    ...(is('locked') === true && { locked: true }),
    ...(is('spoiler') === true && { spoiler: true }),
    ...(is('sensitive') === true && { sensitive: true }),
  };
}
