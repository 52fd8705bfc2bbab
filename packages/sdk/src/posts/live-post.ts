import type { Id, Voted, VoteInput } from '@hearth/protocol';
import type { ReceivedComment, ReceivedPost } from '@hearth/protocol/received-posts';
import { Emitter } from '../emitter.ts';
import type { LivePostEvents, LivePostOptions } from './events.ts';
import { mayPass, NotFoundError } from '../errors.ts';
import { CommentTree } from './comment-tree.ts';
import type { CommentDraft, CommentsClient } from './comments-client.ts';
import type { OnePostEvent, PostFeed, PostFollower } from './post-feed.ts';
import { readMore, readShownTree } from './read-tree.ts';
import type { RequestOptions } from '../types.ts';
import { voted, withNewer, withTotals } from './post-changes.ts';

/** The requests of a post that is shown. */
interface Posts {
  readonly comments: CommentsClient;
  find(id: Id, options: RequestOptions): Promise<ReceivedPost>;
  vote(id: Id, value: VoteInput['value']): Promise<Voted>;
}

interface Parts extends LivePostOptions {
  readonly id: Id;
  readonly posts: Posts;
  readonly feed: PostFeed;
}

/** The time to wait for the gateway before reading without it. */
const WATCH_PATIENCE_MS = 500;
const READ_AGAIN_MS = 5_000;

/** So many events wait for an answer, and so many comments are known to have been reported. */
const MOST_WAITING = 1_000;

/**
 * A post and its comments, as they are now. The post is watched first and read then, so nothing between is missed, and read
 * again after each loss of the connection. Without a gateway of profile 2 it is read once.
 */
export class LivePost implements Disposable, PostFollower {
  readonly id: Id;
  readonly #parts: Parts;
  readonly #events = new Emitter<LivePostEvents>();
  readonly #tree: CommentTree;
  readonly #unfollow: () => void;
  readonly #end = new AbortController();
  readonly #unfolded = new Set<Id>();
  /** Events that came while something was read, which may be older. */
  readonly #waiting = new Set<OnePostEvent[]>();
  readonly #heard = new Set<Id>();
  #post: ReceivedPost | undefined;
  #state: 'loading' | 'ready' | 'gone' | 'failed' = 'loading';
  #error: unknown;
  #next: string | undefined;
  #pages = 1;
  #isLive = false;
  #reading = 0;
  #stopTimer: (() => void) | undefined;

  /** @internal */
  constructor(parts: Parts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#tree = new CommentTree(parts.sort ?? 'top');
    const { clock, life, keepOpen } = parts.feed.host;
    life.addEventListener('abort', () => this.close(), { signal: this.#end.signal });
    this.#stopTimer = clock.after(WATCH_PATIENCE_MS, () => void this.#read());
    this.#unfollow = parts.feed.follow(this.id, this);
    // A client that the instance does not want any more fails when it reads.
    try {
      keepOpen();
    } catch {
      void this.#read();
    }
  }

  /** The post; undefined until it is read. */
  get post(): ReceivedPost | undefined {
    return this.#post;
  }

  /** The comments that are shown, each before its replies. */
  get comments(): readonly ReceivedComment[] {
    return this.#tree.all;
  }

  /** `gone`: the post was deleted, or cannot be seen any more. `failed`: it could not be read, for the reason `error`. */
  get state(): 'loading' | 'ready' | 'gone' | 'failed' {
    return this.#state;
  }

  get error(): unknown {
    return this.#error;
  }

  /** True if the gateway sends what changes. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** True if there are more comments on the post itself. */
  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  /** Calls `listener` with every event of that name until the returned function is called. */
  on<Name extends keyof LivePostEvents>(
    name: Name,
    listener: (event: LivePostEvents[Name]) => void,
  ): () => void {
    return this.#events.on(name, listener);
  }

  /** Shows more comments on the post, or replies to one of its comments. */
  async more(under?: Id): Promise<void> {
    if (under === undefined && this.#next === undefined) return;
    const waiting: OnePostEvent[] = [];
    this.#waiting.add(waiting);
    const reading = this.#reading;
    try {
      const { entries, next } = await readMore({
        ...this.#parts,
        under,
        cursor: under === undefined ? this.#next : undefined,
        isShown: (id) => this.#tree.get(id) !== undefined,
        signal: this.#end.signal,
      });
      // What was read meanwhile is newer.
      if (reading !== this.#reading) return;
      if (under === undefined) {
        this.#next = next;
        this.#pages += 1;
      } else this.#unfolded.add(under);
      this.#tree.append(entries, under);
      for (const event of waiting) this.#apply(event);
      this.#changed();
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Votes for the post. */
  async vote(value: VoteInput['value']): Promise<void> {
    const answer = await this.#parts.posts.vote(this.id, value);
    if (this.#post !== undefined) this.#post = voted(this.#post, answer);
    this.#changed();
  }

  /** Votes for one of the comments. */
  async voteComment(id: Id, value: VoteInput['value']): Promise<void> {
    this.#tree.voted(id, await this.#parts.posts.comments.vote(id, value));
    this.#changed();
  }

  /** Comments on the post, or replies to a comment. */
  async comment(comment: string | CommentDraft): Promise<ReceivedComment> {
    const created = await this.#parts.posts.comments.create(this.id, comment);
    this.#tree.create(created, undefined);
    this.#changed();
    return created;
  }

  /** Changes the text of one of the person's own comments. */
  async changeComment(id: Id, content: string): Promise<void> {
    this.#tree.update(await this.#parts.posts.comments.change(id, content));
    this.#changed();
  }

  /** Takes the post as a request has answered it, such as `posts.change`. */
  put(post: ReceivedPost): void {
    if (post.id !== this.id) return;
    this.#post = this.#post !== undefined && this.#post.version > post.version ? this.#post : post;
    this.#changed();
  }

  /** Reads it again. */
  refresh(): Promise<void> {
    return this.#read();
  }

  /** Ends it: nothing changes any more. */
  close(): void {
    this.#stopTimer?.();
    this.#end.abort();
    this.#isLive = false;
    this.#unfollow();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** @internal */
  watched(isWatched: boolean): void {
    const isNew = isWatched && !this.#isLive;
    this.#isLive = isWatched;
    if (isNew) void this.#read();
  }

  /** @internal */
  event(event: OnePostEvent): void {
    for (const waiting of this.#waiting) if (waiting.length < MOST_WAITING) waiting.push(event);
    if (this.#state !== 'ready') return;
    this.#apply(event);
    if (event.op === 'COMMENT_CREATE') this.#heardOf(event.d);
    this.#changed();
  }

  async #read(): Promise<void> {
    this.#stopTimer?.();
    if (this.#end.signal.aborted) return;
    this.#reading += 1;
    const reading = this.#reading;
    const waiting: OnePostEvent[] = [];
    this.#waiting.add(waiting);
    try {
      const [post, tree] = await Promise.all([
        this.#parts.posts.find(this.id, { signal: this.#end.signal }),
        readShownTree({ ...this.#parts, ...this.#shown, signal: this.#end.signal }),
      ]);
      if (reading !== this.#reading || this.#end.signal.aborted) return;
      this.#post = post;
      this.#next = tree.next;
      this.#tree.replace(tree.roots);
      for (const [under, replies] of tree.unfolded) this.#tree.append(replies, under);
      this.#state = 'ready';
      this.#error = undefined;
      for (const event of waiting) this.#apply(event);
    } catch (error) {
      if (reading !== this.#reading || this.#end.signal.aborted) return;
      this.#failed(error);
    } finally {
      this.#waiting.delete(waiting);
    }
    this.#changed();
  }

  get #shown() {
    return { pages: this.#pages, unfolded: this.#unfolded };
  }

  #failed(error: unknown): void {
    if (error instanceof NotFoundError) return this.#gone();
    if (this.#state !== 'ready') this.#state = 'failed';
    this.#error = error;
    if (!mayPass(error)) return;
    const { clock } = this.#parts.feed.host;
    this.#stopTimer = clock.after(READ_AGAIN_MS, () => void this.#read());
  }

  #gone(): void {
    this.#state = 'gone';
    this.#post = undefined;
    this.#tree.replace([]);
    this.#next = undefined;
  }

  #apply(event: OnePostEvent): void {
    switch (event.op) {
      case 'POST_CREATE':
      case 'POST_UPDATE':
        this.#post = withNewer(this.#post, event.d);
        return;
      case 'POST_DELETE':
        return this.#gone();
      case 'COMMENT_CREATE': {
        const { comment_count, parent_reply_count, ...comment } = event.d;
        this.#tree.create(comment, parent_reply_count);
        return this.#count(comment_count);
      }
      case 'COMMENT_UPDATE':
        this.#tree.update(event.d);
        return;
      case 'COMMENT_DELETE': {
        const { id, also = [], parent, comment_count } = event.d;
        this.#tree.remove([id, ...also], parent);
        return this.#count(comment_count);
      }
      case 'SCORE_UPDATE': {
        const { comment_id, post_id: _post, ...totals } = event.d;
        if (comment_id !== undefined) this.#tree.score(comment_id, totals);
        else if (this.#post !== undefined) this.#post = withTotals(this.#post, totals);
      }
    }
  }

  #heardOf(comment: ReceivedComment): void {
    if (this.#heard.has(comment.id)) return;
    if (this.#heard.size >= MOST_WAITING) this.#heard.clear();
    this.#heard.add(comment.id);
    this.#events.emit('comment', comment);
  }

  #count(commentCount: number): void {
    if (this.#post !== undefined) this.#post = { ...this.#post, comment_count: commentCount };
  }

  #changed(): void {
    if (!this.#end.signal.aborted) this.#events.emit('change', {});
  }
}
