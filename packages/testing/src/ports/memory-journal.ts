import { compareIds, type LobbyMessage } from '@hearth/protocol';
import type { MessageJournal } from '../../../server/src/features/talk/lobby/message-journal.ts';

/** A journal that all processes of a test share. */
export interface MemoryJournal extends MessageJournal {
  /** Dispatches a message, and drops the oldest ones if there are more than `most`. */
  put(message: LobbyMessage): void;
  /** The messages in it now, the oldest first. */
  contents(): readonly LobbyMessage[];
}

/** Makes an empty journal. */
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
