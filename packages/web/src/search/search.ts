import { batch, signal, type ReadonlySignal } from '@preact/signals';
import type { FoundAnywhere, Id, SearchFacets } from '@hearth/protocol';
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
  #next: Id | undefined;

  constructor(open: OpenSource, clock: SdkClock, fields: SearchFields) {
    this.#clock = clock;
    this.#fields = signal(fields);
    this.#source = open((id, change) => {
      this.#changes.set(id, change);
      this.#found.value = this.#changed(this.#found.peek());
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

  /** Searches at once. */
  async search(): Promise<void> {
    this.#stopTimer?.();
    this.#running.abort();
    this.#next = undefined;
    const asked = askedBy(this.#fields.peek());
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
    await Promise.all([this.#count(asked, this.#running), this.#load(asked, this.#running)]);
  }

  /** Searches again if that failed, or for what is older than what was found. */
  async more(): Promise<void> {
    const asked = askedBy(this.#fields.peek());
    const before = this.#next;
    if (asked === undefined || before === undefined) await this.search();
    else await this.#load({ ...asked, before }, this.#running, this.#found.peek());
  }

  [Symbol.dispose](): void {
    this.#stopTimer?.();
    this.#running.abort();
    this.#source[Symbol.dispose]();
  }

  /** Loads results after those that were found before. */
  async #load(
    asked: AskedSearch,
    { signal: ended }: AbortController,
    before: readonly FoundAnywhere[] = [],
  ): Promise<void> {
    this.#changes.clear();
    this.#state.value = { state: 'searching' };
    try {
      const page = await this.#source.find({ ...asked, limit: PAGE }, { signal: ended });
      if (ended.aborted) return;
      this.#next = page.next;
      batch(() => {
        this.#found.value = this.#changed([...before, ...page.entries]);
        this.#state.value = { state: 'done', isMore: page.next !== undefined };
      });
    } catch (error) {
      if (ended.aborted) return;
      batch(() => {
        this.#found.value = this.#changed(before);
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

  #changed(found: readonly FoundAnywhere[]): readonly FoundAnywhere[] {
    return found.flatMap((known) => {
      const change = this.#changes.get(known.id);
      return (change === undefined ? known : change(known)) ?? [];
    });
  }
}
