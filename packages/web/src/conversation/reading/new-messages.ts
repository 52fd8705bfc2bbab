import { compareIds, type Id } from '@hearth/protocol';
import type { ConversationEntry, MessageEntry } from '../messages/entry.ts';

/** Messages since the reader left off. */
export interface NewMessages {
  readonly count: number;
  /** True if there may be more of them than are loaded. */
  readonly isMore: boolean;
}

/** Counts the messages of others after `afterId`, from the newest back. */
export function newMessagesAfter(
  entries: readonly ConversationEntry[],
  afterId: Id,
  isWhole: boolean,
): NewMessages {
  let count = 0;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind !== 'message') continue;
    if (!isAfter(entry, afterId)) return { count, isMore: false };
    if (!entry.isOwn) count += 1;
  }
  return { count, isMore: !isWhole && count > 0 };
}

/** Returns whether a message came after the one with that identifier. */
export function isAfter({ id }: Pick<MessageEntry, 'id'>, afterId: Id): boolean {
  return id === undefined || compareIds(id, afterId) > 0;
}
