import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createVotes } from './migrations/001-votes.ts';

/**
 * Who votes how for which post or comment. The totals are in the post or comment. A row that gave points stays when the post or
 * comment was deleted, because the author keeps them.
 */
export interface VotesTable {
  /** The id of the post or comment, with leading zeros to 39 digits. */
  subject_id: Id;
  /** Written like `subject_id`. */
  user_id: Id;
  kind: 'post' | 'comment';
  channel_id: Id;
  community_id: Id;
  /** Who wrote it. */
  author_id: Id;
  /** 1 or -1. */
  value: number;
  /** What the author has got for it, in thousandths. */
  points: number;
  cast_at_ms: number;
}

/** The tables of this feature. */
export interface VotesTables {
  votes: VotesTable;
}

export const votesTables: FeatureTables<VotesTables> = {
  tables: {
    votes: {
      columns: {
        subject_id: 'id',
        user_id: 'id',
        kind: 'text',
        channel_id: 'id',
        community_id: 'id',
        author_id: 'id',
        value: 'number',
        points: 'number',
        cast_at_ms: 'moment',
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
    },
  },
  migrations: { '001-first': createVotes },
};
