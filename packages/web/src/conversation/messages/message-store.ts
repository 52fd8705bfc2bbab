import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { compareIds, type Id } from '@hearth/protocol';
import {
  HistoryUnavailableError,
  NotFoundError,
  type LobbyMessage,
  type ReceivedMessage,
} from '@hearth/sdk';
import type { ConversationSource } from '../conversation-source.ts';
import { EntryLog, type NewMessage } from './entry-log.ts';
import { detailsOf, type ConversationEntry, type MessageEntry, type OlderState } from './entry.ts';
import { followChanges } from './follow-changes.ts';
import {
  isOwnUser,
  loadPage,
  ofHistory,
  type HistoryOptions,
  type HistoryPage,
  type PageQuery,
} from './history-page.ts';
import type { ShownMessages } from './shown-messages.ts';

/** The number of entries that are kept while the newest are read, and of those that are left if there are more. */
const MOST_ENTRIES = 20_000;
const ENTRIES_LEFT = 15_000;

/** The number of pages that may have passed between the first page and the opened gateway. */
const MOST_MISSED_PAGES = 20;

/** The options of a message store, some of them from the part that posts. */
export interface MessageStoreOptions extends HistoryOptions {
  isOwnNonce(nonce: string): boolean;
}

/** The part of a conversation's source that a message store uses. */
export type MessageStoreSource = Pick<
  ConversationSource,
  'isHearth' | 'connection' | 'on' | 'open' | 'listMessages'
>;

/** The messages of a conversation: pages of its history, followed by live ones. */
export class MessageStore implements ShownMessages, Disposable {
  readonly isLive = true;
  readonly #source: MessageStoreSource;
  readonly #options: MessageStoreOptions;
  readonly #log = new EntryLog();
  readonly #entries = signal<readonly ConversationEntry[]>([]);
  readonly #older = signal<OlderState>('unknown');
  readonly #unread = signal(0);
  /** The keys of the unread messages. */
  readonly #unreadKeys = new Set<string>();
  readonly #listeners = new Set<(entry: MessageEntry) => void>();
  readonly #removalListeners = new Set<(entry: MessageEntry) => void>();
  readonly #ended = new AbortController();
  readonly #offs: (() => void)[] = [];
  #isRead = false;
  #newestOfFirstPage: Id | undefined;
  /** Messages posted between the request for the first page and the opening of the gateway are in neither. */
  #mustCatchUp = false;
  #isOpen = false;
  /** The load that is running, or the last one. */
  #loading: Promise<void> | undefined;

  constructor(source: MessageStoreSource, options: MessageStoreOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** In order, the oldest first. Bounded while the newest are read. */
  get entries(): ReadonlySignal<readonly ConversationEntry[]> {
    return this.#entries;
  }

  /** The state of messages that are older than the first entry. */
  get older(): ReadonlySignal<OlderState> {
    return this.#older;
  }

  /** Others' messages since the reader last looked. */
  get unread(): ReadonlySignal<number> {
    return this.#unread;
  }

  /** Opens the gateway, requests the newest page and listens from now on. Once. */
  start(): void {
    this.#isOpen = this.#source.connection.state === 'open';
    this.#offs.push(
      this.#source.on('message', (message) => {
        this.#receive(message);
      }),
      this.#source.on('messageUpdate', ({ attachments }) => {
        this.#options.onFiles?.(attachments);
      }),
      followChanges(this.#log, this.#source, { ...this.#options, publish: () => this.#publish() }),
      this.#source.on('messageDelete', ({ id }) => {
        this.#remove(id);
      }),
      this.#source.on('gap', ({ fromMs, untilMs, afterId }) => {
        this.#log.addGap({ fromMs, untilMs, afterId });
        this.#publish();
      }),
      this.#source.on('connection', ({ state }) => {
        if (state === 'open') void this.#opened();
      }),
    );
    // If it cannot open, the connection's state reports why.
    this.#source.open({ signal: this.#ended.signal }).catch(() => {});
    void this.#loadFirst();
  }

  /** Loads the page before the first entry, or the newest page if there is no entry. Resolves even if that failed. */
  loadOlder(): Promise<void> {
    const state = this.#older.peek();
    if (state === 'none' || state === 'unavailable') return Promise.resolve();
    if (this.#loading === undefined || state !== 'loading') {
      this.#loading = this.#loadBefore(state === 'unknown' ? undefined : this.#log.oldestId);
    }
    return this.#loading;
  }

  /** Adds older messages, which end where the first entry begins or later. */
  absorb(messages: readonly MessageEntry[], older: OlderState): void {
    const oldest = this.#log.oldestId;
    const isOlder = ({ id }: MessageEntry) =>
      id !== undefined && oldest !== undefined && compareIds(id, oldest) < 0;
    batch(() => {
      this.#log.addPage(messages.filter(isOlder));
      this.#older.value = older === 'none' ? 'none' : 'more';
      this.#publish();
    });
  }

  /** Sets whether a reader sees the newest messages, so that nothing counts as unread. */
  setRead(isRead: boolean): void {
    this.#isRead = isRead;
    if (isRead) this.markRead();
  }

  /** Marks everything as read. */
  markRead(): void {
    this.#unreadKeys.clear();
    this.#unread.value = 0;
  }

  /** Calls `listener` with every new or recovered message from now on; returns a function that stops it. */
  onMessage(listener: (entry: MessageEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` with every shown message that is removed, before the list is drawn without it; returns a function that stops it. */
  onRemoval(listener: (entry: MessageEntry) => void): () => void {
    this.#removalListeners.add(listener);
    return () => this.#removalListeners.delete(listener);
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    for (const off of this.#offs) off();
    this.#listeners.clear();
    this.#removalListeners.clear();
  }

  async #loadBefore(before: Id | undefined): Promise<void> {
    this.#older.value = 'loading';
    try {
      const page = await this.#page(before === undefined ? {} : { before });
      if (before === undefined) this.#newestOfFirstPage = page.newestId;
      const messages = page.messages.map((message, index) => this.#ofHistory(message, index === 0));
      batch(() => {
        this.#log.addPage(messages);
        this.#older.value = page.isLast ? 'none' : 'more';
        this.#publish();
      });
    } catch (error) {
      const isNone = error instanceof HistoryUnavailableError || error instanceof NotFoundError;
      this.#older.value = isNone ? 'unavailable' : 'failed';
    }
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
    const lastId = this.#newestOfFirstPage;
    try {
      const newest = await this.#page({});
      if (lastId !== undefined) this.#removeMissing(newest, lastId);
      if (lastId === undefined || reaches(newest, lastId)) this.#addMissed(newest);
      else await this.#catchUpAfter(lastId);
    } catch {
      // Missing messages will be there after the next start; live messages come anyway.
    }
  }

  async #catchUpAfter(lastId: Id): Promise<void> {
    let after: Id | undefined = lastId;
    for (let pages = 0; pages < MOST_MISSED_PAGES && after !== undefined; pages += 1) {
      const page = await this.#page({ after });
      this.#addMissed(page);
      after = page.isLast ? undefined : page.newestId;
    }
  }

  #addMissed({ messages }: HistoryPage): void {
    batch(() => {
      for (const message of messages) this.#add(this.#ofHistory(message, false));
    });
  }

  /** The oldest first. */
  #page(query: PageQuery): Promise<HistoryPage> {
    return loadPage(this.#source, query, this.#ended.signal);
  }

  #receive(message: ReceivedMessage): void {
    const { id, author, content, created_at: createdAt, nonce, attachments } = message;
    const { ownId } = this.#options;
    this.#options.onFiles?.(attachments);
    this.#add({
      id,
      author,
      content,
      createdAtMs: createdAt ?? Date.now(),
      nonce,
      isOwn: isOwnUser(message, ownId) || (nonce !== undefined && this.#options.isOwnNonce(nonce)),
      isPageStart: false,
      ...detailsOf(message),
    });
  }

  #ofHistory(message: LobbyMessage, isPageStart: boolean): NewMessage {
    return ofHistory(message, isPageStart, this.#options);
  }

  #add(message: NewMessage): void {
    const { length } = this.#log;
    const entry = this.#log.add(message);
    if (entry === undefined) return;
    if (entry.isOwn && entry.id !== undefined) this.#options.ownMessages?.add(entry.id);
    batch(() => {
      const isNew = this.#log.length > length;
      if (isNew && !entry.isOwn && !this.#isRead) {
        this.#unread.value = this.#unreadKeys.add(entry.key).size;
      }
      if (this.#isRead && this.#log.length > MOST_ENTRIES && this.#log.trim(ENTRIES_LEFT)) {
        if (this.#source.isHearth) this.#older.value = 'more';
      }
      this.#publish();
      for (const listener of this.#listeners) listener(entry);
    });
  }

  /** Removes shown messages up to `lastId` that a page of the newest messages should have, but has not. */
  #removeMissing(newest: HistoryPage, lastId: Id): void {
    const kept = new Set(newest.messages.map(({ id }) => id));
    for (const entry of this.#log.snapshot()) {
      const id = entry.kind === 'message' ? entry.id : undefined;
      if (id === undefined || kept.has(id) || compareIds(id, lastId) > 0) continue;
      if (reaches(newest, id)) this.#remove(id);
    }
  }

  #remove(id: Id): void {
    const entry = this.#log.remove(id);
    if (entry === undefined) return;
    batch(() => {
      if (this.#unreadKeys.delete(entry.key)) this.#unread.value = this.#unreadKeys.size;
      this.#publish();
      for (const listener of this.#removalListeners) listener(entry);
    });
  }

  #publish(): void {
    this.#entries.value = this.#log.snapshot();
  }
}

/** Returns whether a page of the newest messages would have that one, if it is still stored. */
function reaches({ oldestId, isLast }: HistoryPage, id: Id): boolean {
  return isLast || (oldestId !== undefined && compareIds(oldestId, id) <= 0);
}
