import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createPolls } from './migrations/001-polls.ts';

const tables = {
  /** Polls of posts. */
  polls: table({
    columns: {
      post_id: column.id,
      channel_id: column.id,
      /** As JSON: the id, the text and the votes of each. */
      options: column.text,
      multiple: column.number,
      ends_at_ms: column.moment,
      /** The number of people who have voted. */
      voters: column.number,
    },
    key: ['post_id'],
    removedWith: { channel: 'channel_id' },
  }),
  /** Choices of people in polls. */
  poll_votes: table({
    columns: {
      post_id: column.id,
      user_id: column.id,
      channel_id: column.id,
      /** The ids of the options, as JSON. */
      options: column.text,
      voted_at_ms: column.moment,
    },
    key: ['post_id', 'user_id'],
    removedWith: { channel: 'channel_id' },
    people: {
      user_id: {
        rows: 'kept',
        because: 'choices-of-person.ts takes back each vote, so that totals stay right',
      },
    },
  }),
};

export type PollsTable = Row<typeof tables.polls>;

export type PollVotesTable = Row<typeof tables.poll_votes>;

export const pollsTables = {
  tables,
  migrations: { '001-first': createPolls },
} satisfies FeatureTables;
