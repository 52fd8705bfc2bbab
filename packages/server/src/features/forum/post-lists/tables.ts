import type { Id, PostPeriod } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createPostOrders } from './migrations/001-post-lists.ts';

/** Orders of posts, and of comments on a post, that pages are cut from. */
export interface PostOrdersTable {
  key: string;
  /** What it is an order of. */
  list: string;
  /** Their ids, one after another. */
  posts: string;
  made_at_ms: number;
}

/** Which posts of a channel come first among those of a period. */
export interface PostPeriodListsTable {
  channel_id: Id;
  sort: 'top' | 'controversial';
  period: PostPeriod;
  /** The ids of the posts and their ranks then. */
  posts: string;
  made_at_ms: number;
}

/** The tables of this feature. */
export interface PostListsTables {
  post_orders: PostOrdersTable;
  post_period_lists: PostPeriodListsTable;
}

export const postListsTables: FeatureTables<PostListsTables> = {
  tables: {
    post_orders: {
      columns: {
        key: 'text',
        list: 'text',
        posts: 'text',
        made_at_ms: 'moment',
      },
      key: ['key'],
      notMoved: 'pages are cut from a new order then',
    },
    post_period_lists: {
      columns: {
        channel_id: 'id',
        sort: 'text',
        period: 'text',
        posts: 'text',
        made_at_ms: 'moment',
      },
      key: ['channel_id', 'sort', 'period'],
      removedWith: { channel: 'channel_id' },
      notMoved: 'a job makes them again',
    },
  },
  migrations: { '001-first': createPostOrders },
};
