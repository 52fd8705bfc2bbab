import { batch, signal, type ReadonlySignal } from '@preact/signals';
import type { Id, SdkClock, SearchPage, SearchQuery } from '@hearth/sdk';
import { firstIdAt } from '@hearth/sdk';
import type { ConversationSource } from '../conversation-source.ts';
import { ChangesMeanwhile } from '../messages/changes-meanwhile.ts';
import { startOfDate } from '../reading/dates.ts';
import type { FoundMessage, WiderSearch } from './wider-search.ts';

/** How long nothing has to be typed before a search begins. */
const PAUSE_MS = 300;

const PAGE = 25;

/** What the reader is looking for, as they typed it. */
export interface SearchFields {
  readonly text: string;
  readonly from: string;
  readonly has: '' | 'file' | 'picture' | 'link';
  /** The first and the last day, as date fields have them. */
  readonly since: string;
  readonly until: string;
  /** Whether more is searched than the conversation. */
  readonly where: '' | 'wider';
}

/** How far a search is. */
export type SearchState =
  | { readonly state: 'idle' }
  | { readonly state: 'searching' }
  | { readonly state: 'done'; readonly isMore: boolean }
  | { readonly state: 'failed'; readonly error: unknown };

const EMPTY: SearchFields = { text: '', from: '', has: '', since: '', until: '', where: '' };

/** The search in a conversation: what is looked for, and what was found. */
export class MessageSearch {
  readonly #source: Pick<ConversationSource, 'search' | 'on'>;
  readonly #wider: WiderSearch | undefined;
  readonly #clock: SdkClock;
  readonly #fields = signal(EMPTY);
  readonly #found = signal<readonly FoundMessage[]>([]);
  readonly #state = signal<SearchState>({ state: 'idle' });
  #stopTimer: (() => void) | undefined;
  #running = new AbortController();
  #next: Id | undefined;

  /** It follows the conversation for the page's lifetime. */
  constructor(
    source: Pick<ConversationSource, 'search' | 'on'>,
    clock: SdkClock,
    wider?: WiderSearch,
  ) {
    this.#source = source;
    this.#wider = wider;
    this.#clock = clock;
    source.on('messageDelete', ({ id }) => {
      this.#found.value = this.#found.peek().filter((message) => message.id !== id);
    });
    source.on('messageUpdate', (changed) => {
      const change = (message: FoundMessage) =>
        message.id === changed.id ? { ...message, ...changed, id: message.id } : message;
      this.#found.value = this.#found.peek().map(change);
    });
  }

  get fields(): ReadonlySignal<SearchFields> {
    return this.#fields;
  }

  /** The newest first. */
  get found(): ReadonlySignal<readonly FoundMessage[]> {
    return this.#found;
  }

  get state(): ReadonlySignal<SearchState> {
    return this.#state;
  }

  /** Changes what is looked for; the search begins after a pause. */
  change(fields: Partial<SearchFields>): void {
    this.#fields.value = { ...this.#fields.peek(), ...fields };
    this.#stopTimer?.();
    this.#stopTimer = this.#clock.after(PAUSE_MS, () => void this.search());
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

  /** What was found before stays if this is more of it. */
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

  #page(query: SearchQuery, ended: AbortSignal): Promise<SearchPage<FoundMessage>> {
    const isWider = this.#fields.peek().where === 'wider';
    const source = (isWider ? this.#wider : undefined) ?? this.#source;
    return source.search({ ...query, limit: PAGE }, { signal: ended });
  }
}

/** The fields as a query; undefined if they do not say enough. */
export function queryOf({ text, from, has, since, until }: SearchFields): SearchQuery | undefined {
  const hasWords = /[\p{L}\p{N}]/u.test(text);
  if (!hasWords && from.trim() === '' && has === '') return undefined;
  const sinceMs = startOfDate(since);
  const untilMs = startOfDate(until);
  return {
    ...(hasWords && { text: text.trim() }),
    ...(from.trim() !== '' && { from: from.trim() }),
    ...(has !== '' && { has }),
    ...(sinceMs !== undefined && { after: firstIdAt(sinceMs) }),
    ...(untilMs !== undefined && { before: firstIdAt(dayAfter(untilMs)) }),
  };
}

function dayAfter(ms: number): number {
  const date = new Date(ms);
  return date.setDate(date.getDate() + 1);
}
