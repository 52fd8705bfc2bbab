import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createComments } from './migrations/001-comments.ts';

/** Comments on posts. Ids of posts and comments have leading zeros to 39 digits, so that they sort like numbers. */
export interface CommentsTable {
  id: Id;
  post_id: Id;
  channel_id: Id;
  community_id: Id;
  user_id: Id;
  /** Its number in the post, from 1. */
  number: number;
  /** The numbers of the comments above it and its own, each of six digits to the base 36. */
  path: string;
  /** Empty if it replies to the post itself. */
  parent_id: Id | '';
  depth: number;
  /** Empty once it was deleted. */
  content: string;
  /** Whom and what it mentions, as JSON; empty if nothing. */
  mentions: string;
  created_at_ms: number;
  /** 0 if it was never edited. */
  edited_at_ms: number;
  /** 0 unless it was deleted; it is kept as long as it has replies. */
  deleted_at_ms: number;
  upvotes: number;
  downvotes: number;
  /** `upvotes` less `downvotes`. */
  score: number;
  /** The rank among its siblings, as of posts. */
  controversial: number;
  reply_count: number;
  version: number;
}

/** The tables of this feature. */
export interface CommentsTables {
  comments: CommentsTable;
}

export const commentsTables: FeatureTables<CommentsTables> = {
  tables: {
    comments: {
      columns: {
        id: 'id',
        post_id: 'id',
        channel_id: 'id',
        community_id: 'id',
        user_id: 'id',
        number: 'number',
        path: 'text',
        parent_id: 'id',
        depth: 'number',
        content: 'text',
        mentions: 'text',
        created_at_ms: 'moment',
        edited_at_ms: 'moment',
        deleted_at_ms: 'moment',
        upvotes: 'number',
        downvotes: 'number',
        score: 'number',
        controversial: 'number',
        reply_count: 'number',
        version: 'number',
      },
      key: ['id'],
      removedWith: { channel: 'channel_id' },
      people: {
        user_id: {
          rows: 'kept',
          because: 'erase-comments.ts removes comments of the person, unless the texts are kept',
        },
      },
    },
  },
  migrations: { '001-first': createComments },
};
