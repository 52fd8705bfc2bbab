import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createPolls } from './migrations/001-polls.ts';

/** Polls of posts. */
export interface PollsTable {
  /** With leading zeros to 39 digits. */
  post_id: Id;
  channel_id: Id;
  /** As JSON: the id, the text and the votes of each. */
  options: string;
  multiple: number;
  ends_at_ms: number;
  /** How many people have voted. */
  voters: number;
}

/** What people have chosen in polls. */
export interface PollVotesTable {
  post_id: Id;
  user_id: Id;
  channel_id: Id;
  /** The ids of the options, as JSON. */
  options: string;
  voted_at_ms: number;
}

/** The tables of this feature. */
export interface PollsTables {
  polls: PollsTable;
  poll_votes: PollVotesTable;
}

export const pollsTables: FeatureTables<PollsTables> = {
  tables: {
    polls: {
      columns: {
        post_id: 'id',
        channel_id: 'id',
        options: 'text',
        multiple: 'number',
        ends_at_ms: 'moment',
        voters: 'number',
      },
      key: ['post_id'],
      removedWith: { channel: 'channel_id' },
    },
    poll_votes: {
      columns: {
        post_id: 'id',
        user_id: 'id',
        channel_id: 'id',
        options: 'text',
        voted_at_ms: 'moment',
      },
      key: ['post_id', 'user_id'],
      removedWith: { channel: 'channel_id' },
      people: {
        user_id: {
          rows: 'kept',
          because: 'erase-poll-votes.ts takes back each vote, so that totals stay right',
        },
      },
    },
  },
  migrations: { '001-first': createPolls },
};
