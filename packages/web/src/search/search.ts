import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { HISTORY_PAGE, type FoundAnywhere, type Id, type SearchFacets } from '@hearth/protocol';
import type { FoundPage, RequestOptions, SdkClock } from '@hearth/sdk';
import { askedBy, type AskedSearch, type SearchFields } from './search-fields.ts';

/** The time for which nothing has to be typed before a search begins. */
const PAUSE_MS = 300;

const PAGE = 25;

/** The state of a search. */
export type SearchState =
  | { readonly state: 'idle' }
  | { readonly state: 'searching' }
  | { readonly state: 'done'; readonly isMore: boolean }
  | { readonly state: 'failed'; readonly error: unknown };

/** Returns something that was found as it is now; undefined if it is gone. */
export type FoundChange = (known: FoundAnywhere) => FoundAnywhere | undefined;

/** The instance, as a search asks it. Everything throws. */
export interface SearchSource extends Disposable {
  find(asked: AskedSearch, options: RequestOptions): Promise<FoundPage<FoundAnywhere>>;
  count(asked: AskedSearch, options: RequestOptions): Promise<SearchFacets>;
}

/** Makes a source that reports what changes of the things that it has found. */
export type OpenSource = (report: (id: Id, change: FoundChange) => void) => SearchSource;

/** A search: what is looked for, what was found, and how much there is of which kind, where and by whom. */
export class Search implements Disposable {
  readonly #source: SearchSource;
  readonly #clock: SdkClock;
  readonly #fields;
  readonly #found = signal<readonly FoundAnywhere[]>([]);
  readonly #facets = signal<SearchFacets | undefined>(undefined);
  readonly #state = signal<SearchState>({ state: 'idle' });
  readonly #isCounting = signal(false);
  /** Changes that a page which is still loading may lack. */
  readonly #changes = new Map<Id, FoundChange>();
  #stopTimer: (() => void) | undefined;
  #running = new AbortController();
  /** The fields by which the results were found. */
  #foundBy: SearchFields | undefined;
  /** The search for what is older than what was found. */
  #next: AskedSearch | undefined;

  constructor(open: OpenSource, clock: SdkClock, fields: SearchFields) {
    this.#clock = clock;
    this.#fields = signal(fields);
    this.#source = open((id, change) => {
      if (this.#state.peek().state === 'searching') this.#changes.set(id, change);
      const found = this.#found.peek();
      if (!found.some((known) => known.id === id)) return;
      this.#found.value = found.flatMap((known) => (known.id === id ? change(known) : known) ?? []);
    });
  }

  get fields(): ReadonlySignal<SearchFields> {
    return this.#fields;
  }

  /** The newest first. */
  get found(): ReadonlySignal<readonly FoundAnywhere[]> {
    return this.#found;
  }

  /** Undefined until they are known. */
  get facets(): ReadonlySignal<SearchFacets | undefined> {
    return this.#facets;
  }

  get state(): ReadonlySignal<SearchState> {
    return this.#state;
  }

  /** True until the facets are those of what was found. */
  get isCounting(): ReadonlySignal<boolean> {
    return this.#isCounting;
  }

  /** Changes what is looked for. The search begins after a pause. */
  change(fields: Partial<SearchFields>): void {
    this.#fields.value = { ...this.#fields.peek(), ...fields };
    this.#stopTimer?.();
    this.#stopTimer = this.#clock.after(PAUSE_MS, () => void this.search());
  }

  /** Changes what is looked for, and searches at once. */
  async choose(fields: Partial<SearchFields>): Promise<void> {
    this.change(fields);
    await this.search();
  }

  /** Searches at once. The results of the same search stay until there are as many new ones. */
  async search(): Promise<void> {
    this.#stopTimer?.();
    this.#running.abort();
    this.#next = undefined;
    const fields = this.#fields.peek();
    const known = fields === this.#foundBy ? this.#found.peek().length : 0;
    const asked = askedBy(fields);
    if (asked === undefined) {
      batch(() => {
        this.#found.value = [];
        this.#facets.value = undefined;
        this.#isCounting.value = false;
        this.#state.value = { state: 'idle' };
      });
      return;
    }
    this.#running = new AbortController();
    const limit = Math.min(Math.max(PAGE, known), HISTORY_PAGE.max);
    await Promise.all([
      this.#count(asked, this.#running),
      this.#load({ ...asked, limit }, this.#running, fields),
    ]);
  }

  /** Searches again if that failed, or for what is older than what was found. */
  async more(): Promise<void> {
    if (this.#next === undefined) await this.search();
    else await this.#load(this.#next, this.#running, this.#foundBy);
  }

  [Symbol.dispose](): void {
    this.#stopTimer?.();
    this.#running.abort();
    this.#source[Symbol.dispose]();
  }

  /** Loads results. If that fails, those of the same fields stay. */
  async #load(
    asked: AskedSearch,
    { signal: ended }: AbortController,
    fields: SearchFields | undefined,
  ): Promise<void> {
    const isNext = asked === this.#next;
    this.#changes.clear();
    this.#state.value = { state: 'searching' };
    try {
      const { entries, next } = await this.#source.find(asked, { signal: ended });
      if (ended.aborted) return;
      this.#foundBy = fields;
      this.#next = next && { ...asked, before: next, limit: PAGE };
      batch(() => {
        const found = entries.flatMap((each) => {
          const change = this.#changes.get(each.id);
          return (change === undefined ? each : change(each)) ?? [];
        });
        this.#found.value = isNext ? [...this.#found.peek(), ...found] : found;
        this.#state.value = { state: 'done', isMore: next !== undefined };
      });
    } catch (error) {
      if (ended.aborted) return;
      batch(() => {
        if (fields !== this.#foundBy) this.#found.value = [];
        this.#state.value = { state: 'failed', error };
      });
    }
  }

  /** Reads the facets. Without them, everything else is there. */
  async #count(asked: AskedSearch, { signal: ended }: AbortController): Promise<void> {
    this.#isCounting.value = true;
    const facets = await this.#source.count(asked, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
    batch(() => {
      this.#facets.value = facets;
      this.#isCounting.value = false;
    });
  }
}
