import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { POST_SIGNAL, type PostSignal, findCommentedPost } from '../posts/posts.ts';
import type { SignalPasser, WatchedSignal } from '../../talk/watching/watching.ts';

/** The time in milliseconds that a comment that came early waits for the comments before it. */
const MOST_WAIT_MS = 1_000;

export interface CommentOrderOptions {
  readonly ctx: Pick<Context, 'database' | 'clock' | 'log' | 'signals'>;
  readonly isWatched: (post: Id) => boolean;
  /** Receives what is to be sent, in order. */
  readonly pass: (signal: PostSignal) => void;
}

/** The state of the comments on a post. */
interface State {
  /** The number of the comment that comes next. */
  next: number;
  /** The comments that came before it was their turn, by their numbers. */
  readonly early: Map<number, PostSignal>;
  /** Signals that came after these, and may concern them. */
  readonly later: PostSignal[];
  /** Since when something has been waiting. */
  sinceMs: number;
}

/**
 * Passes on what is known posts, new comments on a post in the order of their numbers: processes commit them in this order, but
 * may report them in another. A comment that does not come is not waited for.
 */
export class CommentOrder implements SignalPasser {
  readonly #options: CommentOrderOptions;
  readonly #states = new Map<Id, State>();

  constructor(options: CommentOrderOptions) {
    this.#options = options;
  }

  /** Finds out which comment comes next on a post that is watched from now on. Without the database, the first one that comes says so. */
  async watch(post: Id): Promise<void> {
    const { ctx, isWatched } = this.#options;
    // What one process writes comes in order.
    if (ctx.signals.isAlone) return;
    try {
      const found = await findCommentedPost(ctx.database.reader, post);
      if (found !== undefined && isWatched(post)) this.begin(post, found.commentNumber);
    } catch (err) {
      ctx.log.debug({ err }, 'it is not known how many comments a post has');
    }
  }

  /** Notes how many comments a post that is watched has had. What was heard before is newer. */
  begin(post: Id, commentNumber: number): void {
    if (this.#states.has(post)) return;
    this.#states.set(post, { next: commentNumber + 1, early: new Map(), later: [], sinceMs: 0 });
  }

  /** Passes a signal on, and what waited for it; or keeps it until those have come that it has to follow. */
  hear(signal: PostSignal): void {
    const { post_id: post, number } = signal;
    const { ctx, isWatched, pass } = this.#options;
    const state = this.#states.get(post);
    if (!isWatched(post)) this.#states.delete(post);
    else if (number === undefined) {
      if (state !== undefined && state.early.size > 0) state.later.push(signal);
      else pass(signal);
    } else if (state === undefined || number < state.next) {
      this.begin(post, number);
      pass(signal);
    } else {
      if (state.early.size === 0) state.sinceMs = ctx.clock.monotonicMs();
      state.early.set(number, signal);
      this.#release(state);
    }
  }

  /** To be called often. Passes on what has waited for long enough. */
  tick(): void {
    const { ctx, isWatched } = this.#options;
    for (const [post, state] of this.#states) {
      if (!isWatched(post)) this.#states.delete(post);
      else if (state.early.size > 0 && ctx.clock.monotonicMs() - state.sinceMs >= MOST_WAIT_MS) {
        state.next = Math.min(...state.early.keys());
        this.#release(state);
      }
    }
  }

  /** Passes on the comments whose turn it is, and what came after them if no comment is missing any more. */
  #release(state: State): void {
    const { ctx, pass } = this.#options;
    for (let next = state.early.get(state.next); next !== undefined;) {
      state.early.delete(state.next);
      state.next += 1;
      state.sinceMs = ctx.clock.monotonicMs();
      pass(next);
      next = state.early.get(state.next);
    }
    if (state.early.size > 0) return;
    for (const signal of state.later.splice(0)) pass(signal);
  }
}

/** Passes on what happens to posts and their comments to those who watch them. */
export const postSignal: WatchedSignal<CommentOrderOptions['ctx']> = {
  kind: POST_SIGNAL,
  open: (ctx, { watchers, send }) =>
    new CommentOrder({
      ctx,
      isWatched: (post) => watchers.posts.has(post),
      pass: ({ post_id: post, stream, event }) => send(watchers.posts.of(post), { stream, event }),
    }),
};
