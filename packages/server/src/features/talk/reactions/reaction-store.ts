import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';

/** A message, and an emoji that people react with. */
interface Reacted {
  readonly messageId: Id;
  readonly emoji: string;
}

/** Which of the people who reacted: the newest accounts of those between two places. */
export interface ReactedRange {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/** Reads a table of reactions and deletes from it, alike for the lobby and for channels. */
export function reactionStore(table: 'message_reactions' | 'channel_reactions') {
  return {
    /** Deletes a user's reaction; false if there was none. */
    deleteReaction: async (
      db: Writer,
      { messageId, emoji }: Reacted,
      userId: Id,
    ): Promise<boolean> => {
      const row = await db
        .deleteFrom(table)
        .where('message_id', '=', messageId)
        .where('emoji', '=', emoji)
        .where('user_id', '=', userId)
        .returning('emoji')
        .executeTakeFirst();
      return row !== undefined;
    },
    /** The users who reacted to a message with an emoji, the newest account first. */
    selectReacted: async (
      db: Reader,
      { messageId, emoji }: Reacted,
      { after, before, limit }: ReactedRange,
    ): Promise<readonly Id[]> => {
      let query = db
        .selectFrom(table)
        .select('user_id')
        .where('message_id', '=', messageId)
        .where('emoji', '=', emoji);
      if (after !== undefined) query = query.where('user_id', '>', after);
      if (before !== undefined) query = query.where('user_id', '<', before);
      // Those right after a place are the first ones after it, as in the lists of messages.
      const isUpwards = after !== undefined && before === undefined;
      const rows = await query
        .orderBy('user_id', isUpwards ? 'asc' : 'desc')
        .limit(limit)
        .execute();
      const ids = rows.map((row) => row.user_id);
      return isUpwards ? ids.toReversed() : ids;
    },
    /** With which emoji a user reacted to these messages. */
    selectReactionsOf: async (
      db: Reader,
      userId: Id,
      messageIds: readonly Id[],
    ): Promise<ReadonlyMap<Id, ReadonlySet<string>>> => {
      const found = new Map<Id, Set<string>>();
      if (messageIds.length === 0) return found;
      const rows = await db
        .selectFrom(table)
        .select(['message_id', 'emoji'])
        .where('user_id', '=', userId)
        .where('message_id', 'in', messageIds)
        .execute();
      for (const { message_id: id, emoji } of rows) {
        found.getOrInsertComputed(id, () => new Set()).add(emoji);
      }
      return found;
    },
  };
}
