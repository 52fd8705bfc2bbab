import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Comment } from '@hearth/protocol';
import type { Page } from '../../communities/page.ts';
import type { Loading } from '../list/post-list.ts';
import type { ListAnchor, PlacedList } from '../list/placed-list.ts';

/** Reads a page of comments. */
export type ReadComments = (cursor: string | undefined) => Promise<Page<Comment>>;

const IDLE: Loading = { state: 'idle' };

/** The comments of somebody on any posts, page by page, the newest first. */
export class CommentList implements PlacedList {
  readonly item = 'comment';
  /** Undefined until the first page is there. */
  readonly entries: ReadonlySignal<readonly Comment[] | undefined>;
  readonly loading = signal<Loading>(IDLE);
  readonly hasMore: ReadonlySignal<boolean>;
  anchor: ListAnchor | undefined;
  focused: string | undefined;
  readonly #readPage: ReadComments;
  readonly #page = signal<Page<Comment> | undefined>(undefined);

  constructor(readPage: ReadComments) {
    this.#readPage = readPage;
    this.entries = computed(() => this.#page.value?.entries);
    this.hasMore = computed(() => this.#page.value?.next !== undefined);
  }

  /** Reads the first page. What is there stays, with what was written and changed meanwhile. Never rejects. */
  async open(): Promise<void> {
    await this.#read(undefined, (page) => {
      const before = this.#page.peek();
      const last = page.entries.at(-1);
      const known = before?.entries ?? [];
      const meets = last !== undefined && known.some(({ id }) => id === last.id);
      if (before === undefined || last === undefined || !meets) return page;
      const older = known.filter(({ id }) => BigInt(id) < BigInt(last.id));
      return { entries: [...page.entries, ...older], next: before.next };
    });
  }

  /** Never rejects. */
  async renew(): Promise<void> {
    await this.open();
  }

  /** Reads the next page. Never rejects. */
  async more(): Promise<void> {
    const before = this.#page.peek();
    if (before?.next === undefined) return;
    await this.#read(before.next, ({ entries, next }) => ({
      entries: [...before.entries, ...entries],
      next,
    }));
  }

  async #read(cursor: string | undefined, merge: (page: Page<Comment>) => Page<Comment>) {
    if (this.loading.peek().state === 'loading') return;
    this.loading.value = { state: 'loading' };
    try {
      const page = await this.#readPage(cursor);
      this.#page.value = merge(page);
      this.loading.value = IDLE;
    } catch (error) {
      this.loading.value = { state: 'failed', error };
    }
  }
}
