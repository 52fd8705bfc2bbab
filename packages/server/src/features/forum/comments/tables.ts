import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createComments } from './migrations/001-comments.ts';

const tables = {
  /** Comments on posts. */
  comments: table({
    columns: {
      id: column.id,
      post_id: column.id,
      channel_id: column.id,
      community_id: column.id,
      user_id: column.id,
      /** Its number in the post, from 1. */
      number: column.number,
      /** The numbers of the comments above it and its own, each of six digits to the base 36. */
      path: column.text,
      /** Empty if it replies to the post itself. */
      parent_id: column.optionalId,
      depth: column.number,
      /** Empty once it was deleted. */
      content: column.text,
      /** The people and things that it mentions, as JSON; empty if there are none. */
      mentions: column.text,
      created_at_ms: column.moment,
      /** 0 if it was never edited. */
      edited_at_ms: column.moment,
      /** 0 unless it was deleted; it is kept as long as it has replies. */
      deleted_at_ms: column.moment,
      upvotes: column.number,
      downvotes: column.number,
      /** `upvotes` less `downvotes`. */
      score: column.number,
      /** The rank among its siblings, as of posts. */
      controversial: column.number,
      reply_count: column.number,
      version: column.number,
    },
    key: ['id'],
    removedWith: { channel: 'channel_id' },
    people: {
      user_id: {
        rows: 'kept',
        because: 'delete-comments-of.ts removes comments of the person, unless the texts are kept',
      },
      mentions: {
        rows: 'kept',
        because: 'texts of others go on mentioning a deleted account, which is shown as such',
      },
    },
  }),
};

export type CommentsTable = Row<typeof tables.comments>;

export const commentsTables = {
  tables,
  migrations: { '001-first': createComments },
} satisfies FeatureTables;
