import { batch, signal, type ReadonlySignal } from '@preact/signals';
import type { Id, SdkClock, SearchPage, SearchQuery } from '@hearth/sdk';
import type { ChangesSource, ConversationSource } from '../conversation/conversation-source.ts';
import { ChangesMeanwhile } from '../conversation/messages/changes-meanwhile.ts';
import type { Found, WiderSearch } from './found.ts';
import { EMPTY_FIELDS, queryOf, type SearchFields } from './search-fields.ts';

/** The time for which nothing has to be typed before a search begins. */
const PAUSE_MS = 300;

const PAGE = 25;

/** The state of a search. */
export type SearchState =
  | { readonly state: 'idle' }
  | { readonly state: 'searching' }
  | { readonly state: 'done'; readonly isMore: boolean }
  | { readonly state: 'failed'; readonly error: unknown };

/** A place that is searched. */
export type SearchedSource = Pick<ConversationSource, 'search'> & ChangesSource;

/** A search in a place: what is looked for, and what was found. */
export class Search {
  readonly #source: SearchedSource;
  readonly #wider: WiderSearch | undefined;
  readonly #clock: SdkClock;
  readonly #fields = signal(EMPTY_FIELDS);
  readonly #found = signal<readonly Found[]>([]);
  readonly #state = signal<SearchState>({ state: 'idle' });
  #stopTimer: (() => void) | undefined;
  #running = new AbortController();
  #next: Id | undefined;

  /** It follows the place for the page's lifetime. */
  constructor(source: SearchedSource, clock: SdkClock, wider?: WiderSearch) {
    this.#source = source;
    this.#wider = wider;
    this.#clock = clock;
    source.on('messageDelete', ({ id }) => {
      this.#found.value = this.#found.peek().filter((found) => found.id !== id);
    });
    source.on('messageUpdate', (changed) => {
      const change = (found: Found) =>
        found.id === changed.id ? { ...found, ...changed, id: found.id } : found;
      this.#found.value = this.#found.peek().map(change);
    });
  }

  get fields(): ReadonlySignal<SearchFields> {
    return this.#fields;
  }

  /** The newest first. */
  get found(): ReadonlySignal<readonly Found[]> {
    return this.#found;
  }

  get state(): ReadonlySignal<SearchState> {
    return this.#state;
  }

  /** Changes what is looked for. The search begins after a pause, and for another kind at once. */
  change(fields: Partial<SearchFields>): void {
    const before = this.#fields.peek();
    this.#fields.value = isWhole(fields) ? fields : { ...before, ...fields };
    this.#stopTimer?.();
    if (this.#fields.peek().kind !== before.kind) {
      this.#found.value = [];
      void this.search();
      return;
    }
    this.#stopTimer = this.#clock.after(PAUSE_MS, () => void this.search());
  }

  /** Looks for what these fields say, if that is something else than before. */
  show(fields: SearchFields): void {
    if (fields !== this.#fields.peek()) this.change(fields);
  }

  /** Searches at once. */
  async search(): Promise<void> {
    this.#stopTimer?.();
    this.#running.abort();
    this.#next = undefined;
    const query = queryOf(this.#fields.peek());
    if (query === undefined) {
      batch(() => {
        this.#found.value = [];
        this.#state.value = { state: 'idle' };
      });
      return;
    }
    await this.#load(query, false);
  }

  /** Searches again if that failed, or for what is older than what was found. */
  async more(): Promise<void> {
    const query = queryOf(this.#fields.peek());
    const before = this.#next;
    if (query === undefined || before === undefined) await this.search();
    else await this.#load({ ...query, before }, true);
  }

  /** Loads results; those that were found before stay if these are more of them. */
  async #load(query: SearchQuery, isMore: boolean): Promise<void> {
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    this.#state.value = { state: 'searching' };
    const before = () => (isMore ? this.#found.peek() : []);
    using changes = new ChangesMeanwhile(this.#source);
    try {
      const page = await this.#page(query, running.signal);
      if (running.signal.aborted) return;
      this.#next = page.next;
      batch(() => {
        this.#found.value = [...before(), ...changes.appliedTo(page.messages)];
        this.#state.value = { state: 'done', isMore: page.next !== undefined };
      });
    } catch (error) {
      if (running.signal.aborted) return;
      batch(() => {
        this.#found.value = before();
        this.#state.value = { state: 'failed', error };
      });
    }
  }

  #page(query: SearchQuery, ended: AbortSignal): Promise<SearchPage<Found>> {
    const { kind, where } = this.#fields.peek();
    const asked = { ...query, limit: PAGE };
    const options = { signal: ended };
    const isWider = where === 'wider' || kind !== 'messages';
    return this.#wider !== undefined && isWider
      ? this.#wider.search(kind, asked, options)
      : this.#source.search(asked, options);
  }
}

/** Returns whether nothing is left as it was. Then the fields stay the same object, by which they are known again. */
function isWhole(fields: Partial<SearchFields>): fields is SearchFields {
  return Object.keys(fields).length === Object.keys(EMPTY_FIELDS).length;
}
