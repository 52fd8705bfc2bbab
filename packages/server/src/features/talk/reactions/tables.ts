import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createReactions } from './migrations/001-reactions.ts';

const tables = {
  /** Reactions of people to messages. How many did is in the message itself. */
  message_reactions: table({
    columns: {
      message_id: column.id,
      emoji: column.text,
      user_id: column.id,
      /** Empty for messages of the lobby. */
      channel_id: column.optionalId,
      reacted_at_ms: column.moment,
    },
    key: ['message_id', 'emoji', 'user_id'],
    removedWith: { channel: 'channel_id' },
    people: {
      user_id: {
        rows: 'kept',
        because:
          'erase-user.ts and erase-messages.ts take back each reaction, so that the totals in messages stay right',
      },
    },
  }),
};

export const reactionsTables = {
  tables,
  migrations: { '001-first': createReactions },
} satisfies FeatureTables;
