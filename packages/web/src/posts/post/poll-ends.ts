import { signal } from '@preact/signals';
import type { Id, Poll, Post } from '@hearth/protocol';
import { NotFoundError, type SdkClock } from '@hearth/sdk';
import type { KnownPosts } from '../known-posts.ts';

/** When the result is asked for again if the instance does not have it yet, because its clock is another one. */
const AGAIN_MS = 2_000;
const MOST_AGAIN_MS = 300_000;

/** No timer runs longer: machines sleep, clocks are set, and browsers fire those of more than 24 days at once. */
const LONGEST_TIMER_MS = 60_000;

interface EndsOptions {
  readonly clock: SdkClock;
  readonly known: KnownPosts;
  readonly find: (id: Id) => Promise<Post>;
}

/** A poll that is shown and whose result is not there. */
interface Waiting {
  readonly id: Id;
  /** When the result is asked for. */
  dueAt: number;
  waitMs: number;
}

/** Closes the polls that are shown when they end, and asks for their results. */
export class PollEnds {
  readonly #options: EndsOptions;
  readonly #waiting = new Set<Waiting>();
  /** When a poll was last closed. */
  readonly #checkedAt = signal(0);
  /** The posts whose polls the instance has said are open, although they have ended by the reader's clock. */
  readonly #stillOpen = signal<ReadonlySet<Id>>(new Set());
  #stopTimer: (() => void) | undefined;

  constructor(options: EndsOptions) {
    this.#options = options;
  }

  /**
   * Returns whether nobody can vote any more in the poll of a post. A view that asks is drawn again when that changes.
   */
  hasEnded(id: Id, { ends_at: endsAt }: Pick<Poll, 'ends_at'>): boolean {
    if (this.#stillOpen.value.has(id)) return false;
    return endsAt <= Math.max(this.#checkedAt.value, this.#options.clock.now());
  }

  /** Watches the poll of a post until the returned function is called. */
  watch(id: Id, endsAt: number, isResultThere: boolean): () => void {
    if (isResultThere && endsAt <= this.#options.clock.now()) return () => {};
    const waiting: Waiting = { id, dueAt: endsAt, waitMs: AGAIN_MS };
    this.#waiting.add(waiting);
    this.#setTimer();
    return () => this.#stop(waiting);
  }

  #stop(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#setStillOpen(waiting.id, false);
    this.#setTimer();
  }

  #setStillOpen(id: Id, isOpen: boolean): void {
    const before = this.#stillOpen.peek();
    if (before.has(id) === isOpen) return;
    const others = [...before].filter((each) => each !== id);
    this.#stillOpen.value = new Set(isOpen ? [...others, id] : others);
  }

  /** One timer for the nearest end. */
  #setTimer(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#waiting.size === 0) return;
    const { clock } = this.#options;
    const nearest = Math.min(...[...this.#waiting].map(({ dueAt }) => dueAt));
    const leftMs = Math.max(0, nearest - clock.now());
    this.#stopTimer = clock.after(Math.min(leftMs, LONGEST_TIMER_MS), () => this.#check());
  }

  #check(): void {
    const nowMs = this.#options.clock.now();
    for (const waiting of this.#waiting) {
      if (waiting.dueAt > nowMs) continue;
      this.#checkedAt.value = nowMs;
      waiting.dueAt = nowMs + waiting.waitMs;
      waiting.waitMs = Math.min(2 * waiting.waitMs, MOST_AGAIN_MS);
      void this.#ask(waiting);
    }
    this.#setTimer();
  }

  async #ask(waiting: Waiting): Promise<void> {
    const { find, known } = this.#options;
    try {
      const post = await find(waiting.id);
      known.learn(post);
      if (!this.#waiting.has(waiting)) return;
      if (post.poll === undefined || hasResult(post.poll)) this.#stop(waiting);
      else this.#setStillOpen(waiting.id, true);
    } catch (error) {
      // Otherwise it is asked for again.
      if (error instanceof NotFoundError) this.#stop(waiting);
    }
  }
}

/** Returns whether the reader is shown what others chose. */
export function hasResult({ options }: Pick<Poll, 'options'>): boolean {
  return options.some(({ votes }) => votes !== undefined);
}
