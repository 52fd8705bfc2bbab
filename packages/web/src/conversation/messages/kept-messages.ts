import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { compareIds, type Id } from '@hearth/protocol';
import type { FileData, SdkClock } from '@hearth/sdk';
import { CleanUp } from '../../lib/clean-up.ts';
import type { KeptStorage } from '../../lib/kept-storage.ts';
import type { ConversationSource } from '../conversation-source.ts';
import type { KeptPictures } from '../attachments/kept-pictures.ts';
import { hasId, type ConversationEntry, type MessageEntry } from './entry.ts';
import type { MessageStore } from './message-store.ts';

/** The number of messages that the browser keeps for each conversation. */
const MOST_KEPT = 200;

/** Messages are stored at most this often, except when one is removed. */
const SAVE_AFTER_MS = 2000;

/** The form in which the browser keeps a conversation. */
interface Kept {
  readonly savedAtMs: number;
  /** Whose messages and reactions are marked as own; undefined for a visitor's. */
  readonly owner?: Id | undefined;
  readonly entries: readonly MessageEntry[];
  /** The files that they name, so that their room is known. */
  readonly files: readonly FileData[];
}

export interface KeptMessagesOptions {
  readonly messages: Pick<MessageStore, 'entries' | 'older' | 'loadOlder' | 'onRemoval'>;
  readonly source: Pick<ConversationSource, 'on'>;
  /** Undefined if nothing is to be kept. */
  readonly storage: KeptStorage | undefined;
  readonly key: string;
  /** The account that reads; undefined for a visitor. */
  readonly owner?: Id | undefined;
  readonly clock: SdkClock;
  /** Receives the files of kept messages, before these are shown. */
  readonly onFiles: (files: readonly FileData[]) => void;
  /** The pictures of the kept messages, disposed of with them. */
  readonly pictures?: (Pick<KeptPictures, 'load' | 'keep'> & Disposable) | undefined;
}

/** The newest messages of the last visit, shown until the history has arrived, so that the first view has content. */
export class KeptMessages implements Disposable {
  /** The entries to show: those of the store, after kept messages that it does not have yet. */
  readonly entries: ReadonlySignal<readonly ConversationEntry[]>;
  /** When the kept messages that are shown were stored; undefined if none are. Our Unix clock. */
  readonly sinceMs: ReadonlySignal<number | undefined>;
  /** True if the reader is at the newest message. If not, kept messages stay until the history has reached them. */
  readonly isAtEnd: Signal<boolean> = signal(true);
  readonly #options: KeptMessagesOptions;
  readonly #kept = signal<Kept | undefined>(undefined);
  readonly #cleanUp = new CleanUp();
  readonly #files = new Map<string, FileData>();
  #stopTimer: (() => void) | undefined;
  /** Only then are the entries the newest there are. */
  #wasLoaded = false;
  #isForgotten = false;

  constructor(options: KeptMessagesOptions) {
    this.#options = options;
    const { messages, source, storage } = options;
    this.sinceMs = computed(() => this.#kept.value?.savedAtMs);
    this.entries = computed(() => merged(this.#kept.value, messages.entries.value));
    if (storage === undefined) return;
    void this.#load(storage);
    this.#cleanUp.defer(effect(() => this.#replace()));
    this.#cleanUp.defer(messages.entries.subscribe(() => this.#saveLater()));
    this.#cleanUp.defer(messages.onRemoval(() => this.#saveLater(0)));
    this.#cleanUp.defer(
      source.on('messageDelete', ({ id }) => {
        const kept = this.#kept.peek();
        if (kept === undefined) return;
        const entries = kept.entries.filter((entry) => entry.id !== id);
        const files = namedIn(entries, kept.files);
        this.#kept.value = { ...kept, entries, files };
        this.#store(storage, this.#kept.value);
      }),
    );
  }

  /** Learns of files that messages name. */
  learn(files: readonly FileData[] = []): void {
    if (this.#options.storage !== undefined)
      for (const file of files) this.#files.set(file.id, file);
  }

  /** Stores what would be stored later. */
  flush(): void {
    if (this.#stopTimer !== undefined) this.#save();
  }

  /** Ends keeping messages, and removes what was kept: the reader may no longer see it. */
  forget(): void {
    this.#isForgotten = true;
    this[Symbol.dispose]();
    this.#kept.value = undefined;
    void this.#options.storage?.clear().catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#cleanUp.dispose();
    this.#options.pictures?.[Symbol.dispose]();
  }

  async #load(storage: KeptStorage): Promise<void> {
    try {
      const { key, owner, pictures, onFiles } = this.#options;
      const [kept] = await Promise.all([storage.read(key), pictures?.load().catch(() => {})]);
      if (!isKept(kept) || kept.owner !== owner) return;
      if (this.#isForgotten || this.#isLoaded()) return;
      onFiles(kept.files);
      this.#kept.value = kept;
    } catch {
      // The browser keeps nothing; the history comes anyway.
    }
  }

  #isLoaded(): boolean {
    const { value } = this.#options.messages.older;
    return value === 'more' || value === 'none' || value === 'unavailable';
  }

  /** Forgets the kept messages as soon as that moves nothing under the reader's eyes. */
  #replace(): void {
    const { messages } = this.#options;
    const isLoaded = this.#isLoaded();
    this.#wasLoaded ||= isLoaded;
    const kept = this.#kept.value;
    if (kept === undefined || !isLoaded) return;
    const [oldestKept] = kept.entries;
    const oldest = messages.entries.value.find(hasId);
    const isReached =
      messages.older.value !== 'more' ||
      oldestKept?.id === undefined ||
      (oldest !== undefined && compareIds(oldest.id, oldestKept.id) <= 0);
    if (this.isAtEnd.value || isReached) this.#kept.value = undefined;
    else void messages.loadOlder();
  }

  #saveLater(delayMs = SAVE_AFTER_MS): void {
    if (this.#stopTimer !== undefined && delayMs > 0) return;
    this.#stopTimer?.();
    this.#stopTimer = this.#options.clock.after(delayMs, () => this.#save());
  }

  #save(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const { messages, owner, storage, clock } = this.#options;
    if (!this.#wasLoaded) return;
    // An instance without a history wants none.
    const isWanted = messages.older.peek() !== 'unavailable';
    const newest = isWanted ? newestOf(messages.entries.peek()) : [];
    const entries = newest.map((entry, index) => ({
      ...entry,
      // As it will come from the history.
      key: entry.id,
      nonce: undefined,
      isPageStart: index === 0,
    }));
    const files = namedIn(entries, [...this.#files.values()]);
    this.#files.clear();
    this.learn(files);
    if (storage === undefined) return;
    this.#store(storage, { savedAtMs: clock.now(), owner, entries, files });
  }

  #store(storage: KeptStorage, kept: Kept): void {
    const { key, pictures } = this.#options;
    void storage.write(key, kept).catch(() => {});
    pictures?.keep(
      kept.files.filter(({ metadata }) => metadata.type === 'image').map(({ id }) => id),
    );
  }
}

/** The files that messages name, those of the newest message first. */
function namedIn(
  entries: readonly MessageEntry[],
  files: readonly FileData[],
): readonly FileData[] {
  const named = entries
    .toReversed()
    .flatMap(({ content }) => files.filter(({ id }) => content.includes(id)));
  return [...new Set(named)];
}

function newestOf(entries: readonly ConversationEntry[]) {
  // Without going through all of a long list.
  return entries
    .slice(-2 * MOST_KEPT)
    .filter(hasId)
    .slice(-MOST_KEPT);
}

/** The kept messages that are older than what the store has, and what it has. */
function merged(
  kept: Kept | undefined,
  entries: readonly ConversationEntry[],
): readonly ConversationEntry[] {
  if (kept === undefined) return entries;
  const oldest = entries.find(hasId);
  const older = kept.entries.filter(
    ({ id }) => oldest === undefined || (id !== undefined && compareIds(id, oldest.id) < 0),
  );
  return [...older, ...entries];
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  if (!('savedAtMs' in value) || typeof value.savedAtMs !== 'number') return false;
  if (!('files' in value) || !Array.isArray(value.files)) return false;
  return 'entries' in value && Array.isArray(value.entries) && value.entries.length > 0;
}
