import { compareIds, type Id } from '@hearth/protocol';
import type { MessageEntry } from './entry.ts';
import type { MessageStore } from './message-store.ts';

/** The number of pages above the loaded ones on which a message may be. */
const MOST_PAGES = 20;

/**
 * Loads older pages until a message is there. Returns undefined if the history does not have it, if it is too far back,
 * or if the history cannot be loaded.
 */
export async function reachMessage(
  messages: Pick<MessageStore, 'entries' | 'older' | 'loadOlder'>,
  id: Id,
): Promise<MessageEntry | undefined> {
  for (let pages = 0; ; pages += 1) {
    const loaded = messages.entries.peek().filter((entry) => entry.kind === 'message');
    const found = loaded.find((entry) => entry.id === id);
    const oldestId = loaded.find((entry) => entry.id !== undefined)?.id;
    const isPast = oldestId !== undefined && compareIds(oldestId, id) <= 0;
    if (found !== undefined || isPast || pages === MOST_PAGES) return found;
    await messages.loadOlder();
    const state = messages.older.peek();
    if (state === 'failed' || state === 'unavailable') return undefined;
    if (state === 'none' && messages.entries.peek().length === loaded.length) return undefined;
  }
}
