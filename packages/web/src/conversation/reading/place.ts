import { batch, effect, signal, type ReadonlySignal } from '@preact/signals';
import { compareIds, type Id } from '@hearth/protocol';
import { FeatureUnavailableError } from '@hearth/sdk';
import type { ConversationSource } from '../conversation-source.ts';
import { HistoryWindow } from '../messages/history-window.ts';
import type { HistoryOptions } from '../messages/history-page.ts';
import type { MessageEntry } from '../messages/entry.ts';
import type { MessageStore } from '../messages/message-store.ts';
import { reachMessage } from '../messages/reach-message.ts';
import type { ShownMessages } from '../messages/shown-messages.ts';

/** The part that the list shows. */
export interface ShownPart {
  readonly messages: ShownMessages;
  /** Another number if the list has to begin again. */
  readonly number: number;
}

/** A message that was looked for: another object each time. */
export interface FoundMessage {
  /** The key of its row; undefined if it is not there. */
  readonly key: string | undefined;
  /** It is not known whether it is there, because messages could not be loaded. */
  readonly hasFailed: boolean;
}

/** The way in which a message is looked for. */
export interface SeekOptions {
  /** If it is not there, the next newer message will do. */
  readonly orNext?: boolean;
}

/** The place of the reader in a conversation: at its newest messages, or somewhere in its history. */
export class ReadingPlace implements Disposable {
  readonly #live: MessageStore;
  readonly #source: Pick<ConversationSource, 'on' | 'listMessages'>;
  readonly #options: HistoryOptions;
  readonly #part;
  readonly #sought = signal<Id | undefined>(undefined);
  readonly #found = signal<FoundMessage | undefined>(undefined);
  #window: HistoryWindow | undefined;
  #stopJoining: (() => void) | undefined;
  /** Each search ends the one before it. */
  #searches = 0;

  constructor(
    live: MessageStore,
    source: Pick<ConversationSource, 'on' | 'listMessages'>,
    options: HistoryOptions,
  ) {
    this.#live = live;
    this.#source = source;
    this.#options = options;
    this.#part = signal<ShownPart>({ messages: live, number: 0 });
  }

  get part(): ReadonlySignal<ShownPart> {
    return this.#part;
  }

  /** The message of the last search, until the reader goes elsewhere. */
  get sought(): ReadonlySignal<Id | undefined> {
    return this.#sought;
  }

  /** The result of the last search, until the reader goes elsewhere. */
  get found(): ReadonlySignal<FoundMessage | undefined> {
    return this.#found;
  }

  /** Returns to the newest messages. */
  showNewest(): void {
    this.#searches += 1;
    batch(() => {
      this.#sought.value = undefined;
      this.#found.value = undefined;
    });
    if (this.#window !== undefined) this.#show(undefined);
  }

  /** Loads what comes after the shown part of the history. Resolves even if that failed. */
  async loadNewer(): Promise<void> {
    // What failed is tried again when the reader moves.
    await this.#window?.loadNewer();
  }

  /** Shows a message with those around it. */
  async seek(id: Id, options: SeekOptions = {}): Promise<void> {
    const search = (this.#searches += 1);
    this.#sought.value = id;
    const isOver = () => search !== this.#searches;
    const shown = this.#part.peek().messages;
    if (shown === this.#live) await firstPageOf(this.#live);
    if (isOver() || this.#find(shown, id, options)) return;
    if (shown !== this.#live && this.#covers(this.#live, id)) {
      this.#show(undefined);
      this.#finish(this.#live, id, options);
      return;
    }
    let window: HistoryWindow;
    try {
      window = await HistoryWindow.around(this.#source, this.#options, id);
    } catch (error) {
      if (isOver()) return;
      if (error instanceof FeatureUnavailableError) await this.#reach(id, options);
      else this.#found.value = { key: undefined, hasFailed: true };
      return;
    }
    if (isOver()) window[Symbol.dispose]();
    else this.#open(window, id, options);
  }

  [Symbol.dispose](): void {
    this.#searches += 1;
    this.#stopJoining?.();
    this.#window?.[Symbol.dispose]();
  }

  #open(window: HistoryWindow, id: Id, options: SeekOptions): void {
    const isThere = findIn(window, id, options) !== undefined;
    if (isThere) this.#show(window);
    else window[Symbol.dispose]();
    this.#finish(isThere ? this.#part.peek().messages : this.#live, id, options);
  }

  /** Looks for a message on the way from the newest ones. */
  async #reach(id: Id, options: SeekOptions): Promise<void> {
    const search = this.#searches;
    if (this.#window !== undefined) this.#show(undefined);
    await reachMessage(this.#live, id);
    if (search !== this.#searches) return;
    const isUnknown = this.#live.older.peek() === 'failed' && !this.#covers(this.#live, id);
    if (isUnknown) this.#found.value = { key: undefined, hasFailed: true };
    else this.#finish(this.#live, id, options);
  }

  /** Returns whether the message would be among the loaded ones. */
  #covers(messages: ShownMessages, id: Id): boolean {
    const oldest = oldestIdOf(messages);
    const newest = messages === this.#live ? undefined : this.#window?.newestId;
    const isBeyond = newest !== undefined && compareIds(id, newest) > 0;
    return oldest !== undefined && compareIds(oldest, id) <= 0 && !isBeyond;
  }

  #find(messages: ShownMessages, id: Id, options: SeekOptions): boolean {
    const isLoaded = this.#covers(messages, id);
    if (!isLoaded || findIn(messages, id, options) === undefined) return false;
    this.#finish(messages, id, options);
    return true;
  }

  #finish(messages: ShownMessages, id: Id, options: SeekOptions): void {
    this.#found.value = { key: findIn(messages, id, options)?.key, hasFailed: false };
  }

  #show(window: HistoryWindow | undefined): void {
    this.#stopJoining?.();
    this.#stopJoining = undefined;
    this.#window?.[Symbol.dispose]();
    this.#window = window;
    const number = this.#part.peek().number + 1;
    this.#part.value = { messages: window ?? this.#live, number };
    if (window !== undefined) this.#joinWhenMet(window);
  }

  /** As soon as a part of the history reaches the newest messages, both are one. The list goes on as it is. */
  #joinWhenMet(window: HistoryWindow): void {
    const stop = effect(() => {
      void [window.entries.value, this.#live.entries.value];
      const { newestId } = window;
      const oldest = oldestIdOf(this.#live);
      if (newestId === undefined || oldest === undefined) return;
      if (compareIds(newestId, oldest) < 0) return;
      queueMicrotask(() => this.#join(window));
    });
    this.#stopJoining = stop;
  }

  #join(window: HistoryWindow): void {
    if (this.#window !== window) return;
    this.#stopJoining?.();
    this.#stopJoining = undefined;
    this.#live.absorb(messagesOf(window), window.older.peek());
    const { number } = this.#part.peek();
    this.#part.value = { messages: this.#live, number };
    this.#window = undefined;
    window[Symbol.dispose]();
  }
}

/** Resolves when the first page is there, or has failed. */
async function firstPageOf(live: MessageStore): Promise<void> {
  const state = live.older.peek();
  if (state === 'unknown' || state === 'loading') await live.loadOlder();
}

function messagesOf(messages: ShownMessages): readonly MessageEntry[] {
  return messages.entries.peek().filter((entry) => entry.kind === 'message');
}

function oldestIdOf(messages: ShownMessages): Id | undefined {
  return messagesOf(messages).find(({ id }) => id !== undefined)?.id;
}

function findIn(
  messages: ShownMessages,
  id: Id,
  { orNext = false }: SeekOptions,
): MessageEntry | undefined {
  const matches = orNext
    ? (entry: MessageEntry) => entry.id !== undefined && compareIds(entry.id, id) >= 0
    : (entry: MessageEntry) => entry.id === id;
  const loaded = messagesOf(messages);
  // After the newest message, there is only the newest message.
  return loaded.find(matches) ?? (orNext ? loaded.at(-1) : undefined);
}
