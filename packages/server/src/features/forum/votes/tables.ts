import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createVotes } from './migrations/001-votes.ts';

const tables = {
  /**
   * Votes of people for posts and comments. The totals are in the post or comment. A row that gave points stays when
   * the post or comment was deleted, because the author keeps them.
   */
  votes: table({
    columns: {
      /** The id of the post or comment. */
      subject_id: column.id,
      user_id: column.id,
      kind: column.oneOf<'post' | 'comment'>(),
      channel_id: column.id,
      community_id: column.id,
      /** The author of the post or comment. */
      author_id: column.id,
      /** 1 or -1. */
      value: column.number,
      /** The points that the author has got for it, in thousandths. */
      points: column.number,
      cast_at_ms: column.moment,
    },
    key: ['subject_id', 'user_id'],
    removedWith: { community: 'community_id' },
    people: {
      user_id: {
        rows: 'kept',
        because: 'erase-votes.ts takes back each vote, so that totals stay right',
      },
      author_id: {
        rows: 'kept',
        because: 'erase-votes.ts takes away what was given for something that was deleted',
      },
    },
  }),
};

export type VotesTable = Row<typeof tables.votes>;

export const votesTables = {
  tables,
  migrations: { '001-first': createVotes },
} satisfies FeatureTables;
