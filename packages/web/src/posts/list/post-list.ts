import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Id, Post } from '@hearth/protocol';
import type { KnownPosts } from '../known-posts.ts';
import type { ListAnchor, PlacedList } from './placed-list.ts';
import type { ListChoice, ListPlace, PostRequests } from '../post-source.ts';

/** The state of loading a list. */
export type Loading =
  | { readonly state: 'idle' }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown };

interface ListOptions {
  readonly requests: Pick<PostRequests, 'list'>;
  readonly known: KnownPosts;
  readonly place: ListPlace;
  readonly choice: ListChoice;
  /** Returns whether a post that was written just now belongs here. */
  readonly concerns: (post: Post) => boolean;
  /** The posts that the reader has written since the page was opened, the newest first. */
  readonly written: () => readonly Post[];
}

const IDLE: Loading = { state: 'idle' };

/** The posts of a place in one order, page by page. It stays as it is until the reader asks for what is new. */
export class PostList implements PlacedList {
  readonly item = 'post';
  readonly place: ListPlace;
  readonly choice: ListChoice;
  /** Undefined until the first page is there. */
  readonly ids: ReadonlySignal<readonly Id[] | undefined>;
  readonly loading = signal<Loading>(IDLE);
  /** Posts that were written since the list was read. */
  readonly news = signal<ReadonlySet<Id>>(new Set());
  readonly hasMore: ReadonlySignal<boolean>;
  anchor: ListAnchor | undefined;
  /** The post that the keys act on. */
  focused: string | undefined;
  readonly #options: ListOptions;
  readonly #ids = signal<readonly Id[] | undefined>(undefined);
  readonly #next = signal<string | undefined>(undefined);
  #reading: symbol | undefined;

  constructor(options: ListOptions) {
    this.#options = options;
    this.place = options.place;
    this.choice = options.choice;
    this.ids = computed(() =>
      this.#ids.value?.filter((id) => options.known.at(id).value !== undefined),
    );
    this.hasMore = computed(() => this.#next.value !== undefined);
  }

  /** Reads the first page, unless it is there. Never rejects. */
  async open(): Promise<void> {
    if (this.#ids.peek() !== undefined || this.loading.peek().state === 'loading') return;
    await this.renew();
  }

  /** Reads it from the beginning. Never rejects. */
  async renew(): Promise<void> {
    const { requests, place, choice } = this.#options;
    this.anchor = undefined;
    await this.#read(requests.list(place, choice), () => []);
  }

  /** Says that there may be news, which were not reported. */
  async refresh(): Promise<void> {
    const ids = this.#ids.peek();
    if (ids === undefined) return;
    const { requests, place, choice, known } = this.#options;
    const page = await requests.list(place, choice).catch(() => undefined);
    if (page === undefined) return;
    for (const post of page.entries) known.learn(post);
    const added = page.entries.map(({ id }) => id).filter((id) => !ids.includes(id));
    if (added.length > 0) this.news.value = new Set([...this.news.peek(), ...added]);
  }

  /** Reads the next page. Never rejects. */
  async more(): Promise<void> {
    const cursor = this.#next.peek();
    if (cursor === undefined || this.loading.peek().state === 'loading') return;
    const { requests, place, choice } = this.#options;
    const known = this.#ids.peek() ?? [];
    await this.#read(requests.list(place, { ...choice, cursor }), () => known);
  }

  /** A post was written. One's own comes first at once. */
  hear(post: Post, isOwn: boolean): void {
    const ids = this.#ids.peek();
    if (ids === undefined || ids.includes(post.id) || !this.#options.concerns(post)) return;
    if (isOwn) this.put(post.id);
    else this.news.value = new Set([...this.news.peek(), post.id]);
  }

  /** Shows a post before all others that are not pinned. */
  put(id: Id): void {
    const ids = this.#ids.peek();
    if (ids === undefined || ids.includes(id)) return;
    const isPinned = (each: Id) => this.#options.known.at(each).peek()?.pinned === true;
    this.#ids.value = [...ids.filter(isPinned), id, ...ids.filter((each) => !isPinned(each))];
  }

  /** A post was deleted. */
  remove(id: Id): void {
    if (!this.news.peek().has(id)) return;
    this.news.value = new Set([...this.news.peek()].filter((each) => each !== id));
  }

  /** Puts what the reader has just written first, so that it is not lost below what is hot. */
  #putOwn(): void {
    const { choice, concerns, written } = this.#options;
    if (choice.sort !== 'hot') return;
    for (const post of written().toReversed()) if (concerns(post)) this.put(post.id);
  }

  async #read(asked: ReturnType<PostRequests['list']>, before: () => readonly Id[]): Promise<void> {
    const reading = Symbol('page');
    this.#reading = reading;
    this.loading.value = { state: 'loading' };
    try {
      const { entries, next } = await asked;
      if (this.#reading !== reading) return;
      batch(() => {
        for (const post of entries) this.#options.known.learn(post);
        const ids = before();
        // A pinned post is in the first page, and may be further down as well.
        const added = entries.map(({ id }) => id).filter((id) => !ids.includes(id));
        this.#ids.value = [...ids, ...added];
        this.#next.value = next;
        if (ids.length === 0) this.#putOwn();
        if (ids.length === 0) this.news.value = new Set();
        this.loading.value = IDLE;
      });
    } catch (error) {
      if (this.#reading === reading) this.loading.value = { state: 'failed', error };
    }
  }
}
