import { compareIds, type LobbyMessage } from '@hearth/protocol';
import type { MessageJournal } from '../../../server/src/features/messages/message-journal.ts';

/** A journal that all processes of a test share. */
export interface MemoryJournal extends MessageJournal {
  /** Dispatches a message; of more than `most` the oldest are dropped. */
  put(message: LobbyMessage): void;
  /** What is in it now, the oldest first. */
  contents(): readonly LobbyMessage[];
}

/** Makes an empty one. */
export function memoryJournal(most: number): MemoryJournal {
  let entries: readonly LobbyMessage[] = [];
  return {
    put(message) {
      entries = most === 0 ? [] : [...entries, message].slice(-most);
    },
    contents: () => entries,
    async read(limit) {
      return entries.slice(0, limit);
    },
    async drop(upTo) {
      entries = entries.filter(({ id }) => compareIds(id, upTo) > 0);
    },
  };
}
