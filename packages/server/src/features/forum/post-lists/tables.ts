import type { PostPeriod } from '@hearth/protocol';
import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createPostOrders } from './migrations/001-post-lists.ts';

const tables = {
  /** Orders of posts, and of comments on a post, that pages are cut from. */
  post_orders: table({
    columns: {
      key: column.text,
      /** The list that it is an order of. */
      list: column.text,
      /** Their ids, one after another. */
      posts: column.text,
      made_at_ms: column.moment,
    },
    key: ['key'],
    notMoved: 'pages are cut from a new order then',
  }),
  /** Which posts of a channel come first among those of a period. */
  post_period_lists: table({
    columns: {
      channel_id: column.id,
      sort: column.oneOf<'top' | 'controversial'>(),
      period: column.oneOf<PostPeriod>(),
      /** The ids of the posts and their ranks then. */
      posts: column.text,
      made_at_ms: column.moment,
    },
    key: ['channel_id', 'sort', 'period'],
    removedWith: { channel: 'channel_id' },
    notMoved: 'a job makes them again',
  }),
};

export type PostOrdersTable = Row<typeof tables.post_orders>;

export const postListsTables = {
  tables,
  migrations: { '001-first': createPostOrders },
} satisfies FeatureTables;
