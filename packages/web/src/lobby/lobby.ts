import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { HISTORY_PAGE, type Id } from '@hearth/protocol';
import {
  HistoryUnavailableError,
  NotFoundError,
  type Client,
  type LobbyMessage,
  type ReceivedMessage,
} from '@hearth/sdk';
import { EntryLog, type NewMessage } from './entry-log.ts';
import type { LobbyEntry, MessageEntry, OlderState } from './lobby-entry.ts';
import type { OwnMessages } from './own-messages.ts';

export type { GapEntry, LobbyEntry, MessageEntry, OlderState } from './lobby-entry.ts';

/** Entries that are kept while the newest are read, and how many are left when there are more. */
const MOST_ENTRIES = 20_000;
const ENTRIES_LEFT = 15_000;

/** Pages that may have passed between the first page and the opened gateway. */
const MOST_MISSED_PAGES = 20;

/** What the lobby asks of whoever posts. */
export interface LobbyOptions {
  isOwnNonce(nonce: string): boolean;
  /** Tells own messages in the history, which has no nonces. */
  readonly ownMessages?: Pick<OwnMessages, 'has' | 'add'> | undefined;
}

/** What the lobby uses of a client. */
export type LobbyClient = Pick<Client, 'isHearth' | 'connection' | 'on' | 'open'> & {
  readonly rest: Pick<Client['rest'], 'listMessages'>;
};

/** The messages of the instance's lobby: pages of its history, and live ones behind them. */
export class Lobby implements Disposable {
  readonly #client: LobbyClient;
  readonly #options: LobbyOptions;
  readonly #log = new EntryLog();
  readonly #entries = signal<readonly LobbyEntry[]>([]);
  readonly #older = signal<OlderState>('unknown');
  readonly #unread = signal(0);
  readonly #listeners = new Set<(entry: MessageEntry) => void>();
  readonly #ended = new AbortController();
  readonly #offs: (() => void)[] = [];
  #isRead = false;
  #newestOfFirstPage: Id | undefined;
  /** What is posted between asking for the first page and opening the gateway is in neither. */
  #mustCatchUp = false;
  #isOpen = false;

  constructor(client: LobbyClient, options: LobbyOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** In order, the oldest first. Bounded while the newest are read. */
  get entries(): ReadonlySignal<readonly LobbyEntry[]> {
    return this.#entries;
  }

  /** Whether there are older messages than the first entry. */
  get older(): ReadonlySignal<OlderState> {
    return this.#older;
  }

  /** Others' messages since the reader last looked. */
  get unread(): ReadonlySignal<number> {
    return this.#unread;
  }

  /** Opens the gateway, asks for the newest page and listens from now on. Once. */
  start(): void {
    this.#isOpen = this.#client.connection.state === 'open';
    this.#offs.push(
      this.#client.on('message', (message) => {
        this.#receive(message);
      }),
      this.#client.on('gap', ({ fromMs, untilMs, afterId }) => {
        this.#log.addGap({ fromMs, untilMs, afterId });
        this.#publish();
      }),
      this.#client.on('connection', ({ state }) => {
        if (state === 'open') void this.#opened();
      }),
    );
    // What keeps it from opening is told as the connection's state.
    this.#client.open({ signal: this.#ended.signal }).catch(() => {});
    void this.#loadFirst();
  }

  /** Loads the page before the first entry; the newest where there is none. Resolves, too, where that failed. */
  async loadOlder(): Promise<void> {
    const state = this.#older.value;
    if (state === 'loading' || state === 'none' || state === 'unavailable') return;
    this.#older.value = 'loading';
    const before = state === 'unknown' ? undefined : this.#log.oldestId;
    try {
      const page = await this.#page(before === undefined ? {} : { before });
      if (before === undefined) this.#newestOfFirstPage = page.at(-1)?.id;
      batch(() => {
        this.#log.addPage(page.map((message, index) => this.#ofHistory(message, index === 0)));
        this.#older.value = page.length < HISTORY_PAGE.max ? 'none' : 'more';
        this.#publish();
      });
    } catch (error) {
      const isNone = error instanceof HistoryUnavailableError || error instanceof NotFoundError;
      this.#older.value = isNone ? 'unavailable' : 'failed';
    }
  }

  /** Whether the newest messages are in view of somebody, so that nothing counts as unread. */
  setRead(isRead: boolean): void {
    this.#isRead = isRead;
    if (isRead) this.markRead();
  }

  /** Nothing is unread any more. */
  markRead(): void {
    this.#unread.value = 0;
  }

  /** Calls `listener` with every message that comes from now on, also those that had been missed; gives the way off. */
  onMessage(listener: (entry: MessageEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    for (const off of this.#offs) off();
    this.#listeners.clear();
  }

  async #loadFirst(): Promise<void> {
    const wasOpen = this.#isOpen;
    await this.loadOlder();
    const isLoaded = this.#older.value === 'none' || this.#older.value === 'more';
    this.#mustCatchUp = isLoaded && !wasOpen;
    if (this.#isOpen) await this.#catchUp();
  }

  async #opened(): Promise<void> {
    this.#isOpen = true;
    if (this.#older.value === 'failed') await this.loadOlder();
    else await this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    if (!this.#mustCatchUp) return;
    this.#mustCatchUp = false;
    let after = this.#newestOfFirstPage;
    try {
      for (let pages = 0; pages < MOST_MISSED_PAGES; pages += 1) {
        const page = await this.#page(after === undefined ? {} : { after });
        batch(() => {
          for (const message of page) this.#add(this.#ofHistory(message, false));
        });
        if (page.length < HISTORY_PAGE.max) return;
        after = page.at(-1)?.id;
      }
    } catch {
      // What is missing then is there after the next start; live messages come all the same.
    }
  }

  /** The oldest first. */
  async #page(query: { readonly before?: Id; readonly after?: Id }): Promise<LobbyMessage[]> {
    const { signal: ended } = this.#ended;
    const page = await this.#client.rest.listMessages(
      { ...query, limit: HISTORY_PAGE.max },
      { signal: ended },
    );
    ended.throwIfAborted();
    return page.toReversed();
  }

  #receive({ id, author, content, created_at: createdAt, nonce }: ReceivedMessage): void {
    this.#add({
      id,
      author,
      content,
      createdAtMs: createdAt ?? Date.now(),
      nonce,
      isOwn: nonce !== undefined && this.#options.isOwnNonce(nonce),
      isPageStart: false,
    });
  }

  #ofHistory(message: LobbyMessage, isPageStart: boolean): NewMessage {
    const { id, author, content, created_at: createdAtMs } = message;
    const isOwn = this.#options.ownMessages?.has(id) ?? false;
    return { id, author, content, createdAtMs, nonce: undefined, isOwn, isPageStart };
  }

  #add(message: NewMessage): void {
    const { length } = this.#log;
    const entry = this.#log.add(message);
    if (entry === undefined) return;
    if (entry.isOwn && entry.id !== undefined) this.#options.ownMessages?.add(entry.id);
    batch(() => {
      const isNew = this.#log.length > length;
      if (isNew && !entry.isOwn && !this.#isRead) this.#unread.value += 1;
      if (this.#isRead && this.#log.length > MOST_ENTRIES && this.#log.trim(ENTRIES_LEFT)) {
        if (this.#client.isHearth) this.#older.value = 'more';
      }
      this.#publish();
      for (const listener of this.#listeners) listener(entry);
    });
  }

  #publish(): void {
    this.#entries.value = this.#log.snapshot();
  }
}
