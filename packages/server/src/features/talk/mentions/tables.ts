import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createMentions } from './migrations/001-mentions.ts';

const tables = {
  /**
   * Subjects that messages have mentioned when they were posted. Later edits remove rows, and add none. To count the
   * mentions of a member in a channel after a message, count the distinct `message_id` greater than it, in rows whose
   * subject is the user, one of the member's roles, or the community itself: `@all` is stored as the everyone role,
   * which has the community's id. There is one row for each subject, never one for each member.
   */
  channel_mentions: table({
    columns: {
      /** The id of a user or role. */
      subject_id: column.id,
      channel_id: column.id,
      message_id: column.id,
    },
    key: ['subject_id', 'channel_id', 'message_id'],
    removedWith: { channel: 'channel_id' },
    people: { subject_id: { rows: 'removed' } },
  }),
};

export const mentionsTables = {
  tables,
  migrations: { '001-first': createMentions },
} satisfies FeatureTables;
