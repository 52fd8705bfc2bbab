import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createPostOrders } from './migrations/049-post-orders.ts';

/** Orders of posts that pages of lists are cut from. */
export interface PostOrdersTable {
  id: string;
  /** What it is an order of. */
  list: string;
  /** The ids of the posts, as JSON. */
  posts: string;
  made_at_ms: number;
}

/** The tables of this feature. */
export interface PostListsTables {
  post_orders: PostOrdersTable;
}

export const postListsTables: FeatureTables<PostListsTables> = {
  tables: {
    post_orders: {
      columns: {
        id: 'text',
        list: 'text',
        posts: 'text',
        made_at_ms: 'number',
      },
      key: ['id'],
      notMoved: 'pages are cut from a new order then',
    },
  },
  migrations: { '049-post-orders': createPostOrders },
};
