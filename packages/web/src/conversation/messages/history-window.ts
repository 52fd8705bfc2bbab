import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { compareIds, type Id } from '@hearth/protocol';
import type { ConversationSource } from '../conversation-source.ts';
import { CleanUp } from '../../lib/clean-up.ts';
import { EntryLog } from './entry-log.ts';
import type { ConversationEntry, MessageEntry, OlderState } from './entry.ts';
import { followChanges } from './follow-changes.ts';
import { loadPage, ofHistory, type HistoryOptions, type HistoryPage } from './history-page.ts';
import type { ShownMessages } from './shown-messages.ts';

/** The state of the messages after the last entry. */
export type NewerState = 'loading' | 'more' | 'none' | 'failed';

/** A part of the history that need not reach the newest message. It grows in both directions. */
export class HistoryWindow implements ShownMessages, Disposable {
  readonly isLive = false;
  readonly #source: Pick<ConversationSource, 'on' | 'listMessages'>;
  readonly #options: HistoryOptions;
  readonly #log = new EntryLog();
  readonly #entries = signal<readonly ConversationEntry[]>([]);
  readonly #older = signal<OlderState>('more');
  readonly #newer = signal<NewerState>('more');
  readonly #removalListeners = new Set<(entry: MessageEntry) => void>();
  readonly #ended = new AbortController();
  readonly #cleanUp = new CleanUp();
  #newestId: Id | undefined;

  private constructor(
    source: Pick<ConversationSource, 'on' | 'listMessages'>,
    options: HistoryOptions,
  ) {
    this.#source = source;
    this.#options = options;
    this.#cleanUp.defer(source.on('messageDelete', ({ id }) => this.#remove(id)));
    this.#cleanUp.defer(
      followChanges(this.#log, source, { ...options, publish: () => this.#publish() }),
    );
  }

  /** Opens the part of the history around a message or a moment. Throws the errors of the SDK. */
  static async around(
    source: Pick<ConversationSource, 'on' | 'listMessages'>,
    options: HistoryOptions,
    id: Id,
  ): Promise<HistoryWindow> {
    const window = new HistoryWindow(source, options);
    try {
      window.#add(await loadPage(source, { around: id }, window.#ended.signal), true);
      return window;
    } catch (error) {
      window[Symbol.dispose]();
      throw error;
    }
  }

  get entries(): ReadonlySignal<readonly ConversationEntry[]> {
    return this.#entries;
  }

  get older(): ReadonlySignal<OlderState> {
    return this.#older;
  }

  /** The state of messages that are newer than the last entry. */
  get newer(): ReadonlySignal<NewerState> {
    return this.#newer;
  }

  /** The newest message that it got to, even if that was removed. */
  get newestId(): Id | undefined {
    return this.#newestId;
  }

  async loadOlder(): Promise<void> {
    const before = this.#log.oldestId;
    const state = this.#older.peek();
    if (state === 'loading' || state === 'none' || before === undefined) return;
    this.#older.value = 'loading';
    try {
      const page = await loadPage(this.#source, { before }, this.#ended.signal);
      batch(() => {
        this.#add(page, true);
        this.#older.value = page.isLast ? 'none' : 'more';
      });
    } catch {
      this.#older.value = 'failed';
    }
  }

  /** Loads the page after the last entry. Resolves even if that failed. */
  async loadNewer(): Promise<void> {
    const after = this.#newestId;
    const state = this.#newer.peek();
    if (state === 'loading' || state === 'none' || after === undefined) return;
    this.#newer.value = 'loading';
    try {
      const page = await loadPage(this.#source, { after }, this.#ended.signal);
      batch(() => {
        this.#add(page, false);
        this.#newer.value = page.isLast ? 'none' : 'more';
      });
    } catch {
      this.#newer.value = 'failed';
    }
  }

  onRemoval(listener: (entry: MessageEntry) => void): () => void {
    this.#removalListeners.add(listener);
    return () => this.#removalListeners.delete(listener);
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#cleanUp.dispose();
    this.#removalListeners.clear();
  }

  #add({ messages, newestId }: HistoryPage, isOlder: boolean): void {
    const added = messages.map((message, index) =>
      ofHistory(message, isOlder && index === 0, this.#options),
    );
    this.#log.addPage(added);
    const newest = this.#newestId;
    const isNewer = newest === undefined || (newestId && compareIds(newestId, newest) > 0);
    if (isNewer) this.#newestId = newestId;
    this.#publish();
  }

  #remove(id: Id): void {
    const entry = this.#log.remove(id);
    if (entry === undefined) return;
    batch(() => {
      this.#publish();
      for (const listener of this.#removalListeners) listener(entry);
    });
  }

  #publish(): void {
    this.#entries.value = this.#log.snapshot();
  }
}
