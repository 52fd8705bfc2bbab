import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createMentions } from './migrations/001-mentions.ts';

/**
 * Whom messages have mentioned when they were posted. Later edits remove rows, and add none. To count the mentions of a
 * member in a channel after a message, count the distinct `message_id` greater than it, in rows whose subject is the user,
 * one of the member's roles, or the community itself: `@all` is stored as the everyone role, which has the community's id.
 * There is one row for each subject, never one for each member.
 */
export interface ChannelMentionsTable {
  /** The id of a user or role, without leading zeros. */
  subject_id: Id;
  channel_id: Id;
  message_id: Id;
}

/** The tables of this feature. */
export interface MentionsTables {
  channel_mentions: ChannelMentionsTable;
}

export const mentionsTables: FeatureTables<MentionsTables> = {
  tables: {
    channel_mentions: {
      columns: { subject_id: 'id', channel_id: 'id', message_id: 'id' },
      key: ['subject_id', 'channel_id', 'message_id'],
      removedWith: { channel: 'channel_id' },
      people: { subject_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createMentions },
};
