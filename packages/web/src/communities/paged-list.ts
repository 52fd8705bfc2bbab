import { signal, type ReadonlySignal } from '@preact/signals';
import type { Asked } from '../lib/asked.ts';
import type { Page } from './page.ts';

/** A list that is loaded page by page. What the reader changes of it shows at once. */
export class PagedList<Entry> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Entry>>;
  readonly #asked = signal<Asked<Page<Entry>>>({ state: 'loading' });
  readonly #moreFailure = signal<unknown>(undefined);
  #isLoading = false;
  /** True if the list was to be loaded again while it was being loaded. */
  #isStale = false;

  constructor(read: (cursor: string | undefined) => Promise<Page<Entry>>) {
    this.#read = read;
  }

  get asked(): ReadonlySignal<Asked<Page<Entry>>> {
    return this.#asked;
  }

  /** Why the next page could not be loaded; what is there stays. */
  get moreFailure(): ReadonlySignal<unknown> {
    return this.#moreFailure;
  }

  /** Loads the first page, again if that failed. Never rejects. */
  async load(): Promise<void> {
    if (this.#asked.peek().state === 'failed') this.#asked.value = { state: 'loading' };
    await this.#load(undefined, []);
  }

  /** Loads the next page. Never rejects. */
  async loadMore(): Promise<void> {
    const asked = this.#asked.peek();
    if (asked.state !== 'there' || asked.value.next === undefined) return;
    await this.#load(asked.value.next, asked.value.entries);
  }

  /** Shows other entries. */
  change(change: (entries: readonly Entry[]) => readonly Entry[]): void {
    const asked = this.#asked.peek();
    if (asked.state !== 'there') return;
    const { entries, next } = asked.value;
    this.#asked.value = { state: 'there', value: { entries: change(entries), next } };
  }

  async #load(cursor: string | undefined, before: readonly Entry[]): Promise<void> {
    if (this.#isLoading) {
      // What is asked for now may be newer than what comes.
      this.#isStale ||= cursor === undefined;
      return;
    }
    this.#isLoading = true;
    this.#moreFailure.value = undefined;
    try {
      const { entries, next } = await this.#read(cursor);
      this.#asked.value = { state: 'there', value: { entries: [...before, ...entries], next } };
    } catch (error) {
      if (cursor === undefined) this.#asked.value = { state: 'failed', error };
      else this.#moreFailure.value = error;
    } finally {
      this.#isLoading = false;
    }
    if (!this.#isStale) return;
    this.#isStale = false;
    await this.#load(undefined, []);
  }
}
