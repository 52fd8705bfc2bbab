import type { ReadonlySignal } from '@preact/signals';
import type { ConversationEntry, MessageEntry, OlderState } from './entry.ts';

/** Messages that a list shows: the newest, or a part of the history. */
export interface ShownMessages {
  /** True if its last entry is the newest message. */
  readonly isLive: boolean;
  /** In order, the oldest first. */
  readonly entries: ReadonlySignal<readonly ConversationEntry[]>;
  /** The state of messages that are older than the first entry. */
  readonly older: ReadonlySignal<OlderState>;
  /** Loads the page before the first entry. Resolves even if that failed. */
  loadOlder(): Promise<void>;
  /** Calls `listener` with every shown message that is removed, before the list is drawn without it; returns a function that stops it. */
  onRemoval(listener: (entry: MessageEntry) => void): () => void;
}
