import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createPosts } from './migrations/001-posts.ts';

/** Posts. Ids that sort have leading zeros to 39 digits, here and in the tables below: those of posts, comments and messages. */
export interface PostsTable {
  id: Id;
  channel_id: Id;
  community_id: Id;
  user_id: Id;
  title: string;
  /** Empty if it has none. */
  content: string;
  /** Empty if it has none. */
  url: string;
  /** The ids of its tags, as JSON; empty if it has none. */
  tags: string;
  /** Whom and what it mentions, as JSON; empty if nothing. */
  mentions: string;
  /** Its files, as JSON; empty if it has none. */
  files: string;
  created_at_ms: number;
  /** 0 if it was never edited. */
  edited_at_ms: number;
  pinned: number;
  locked: number;
  spoiler: number;
  sensitive: number;
  /** Where the message is that it was made from, without leading zeros; empty if it was not. */
  from_channel_id: Id | '';
  /** Without leading zeros; empty if it was made from no message. */
  from_message_id: Id | '';
  /** The id of the post that it repeats, without leading zeros; empty if it repeats none. */
  crosspost_of: Id | '';
  /** Without leading zeros; empty if none was accepted. */
  accepted_comment_id: Id | '';
  upvotes: number;
  downvotes: number;
  /** `upvotes` less `downvotes`. */
  score: number;
  /** The rank of a list sorted by `hot`; the others are alike. */
  hot: number;
  active: number;
  controversial: number;
  /** How many comments it has, deleted ones that have replies among them. */
  comment_count: number;
  /** The number of its newest comment. */
  comment_number: number;
  /** When somebody else commented last; 0 if nobody did. */
  last_comment_at_ms: number;
  /** The id of its newest comment, which may have been deleted, with leading zeros; empty if there was none, or if it is not known. */
  newest_comment_id: Id | '';
  /** When that was written; 0 if it is not known. */
  newest_comment_at_ms: number;
  version: number;
}

/** Which posts have a tag. */
export interface PostTagsTable {
  tag_id: Id;
  post_id: Id;
  channel_id: Id;
}

/** The posts that are pinned. */
export interface PostPinsTable {
  channel_id: Id;
  post_id: Id;
  pinned_at_ms: number;
}

/** The files of posts: each belongs to one. */
export interface PostFilesTable {
  file_id: Id;
  channel_id: Id;
  post_id: Id;
}

/** The posts that people have saved. */
export interface PostSavesTable {
  user_id: Id;
  post_id: Id;
  channel_id: Id;
  saved_at_ms: number;
}

/** Which comments of a post somebody has seen. */
export interface PostVisitsTable {
  user_id: Id;
  post_id: Id;
  channel_id: Id;
  /** The number of the newest comment then. */
  comment_number: number;
  visited_at_ms: number;
}

/** The tables of this feature. */
export interface PostsTables {
  posts: PostsTable;
  post_tags: PostTagsTable;
  post_pins: PostPinsTable;
  post_files: PostFilesTable;
  post_saves: PostSavesTable;
  post_visits: PostVisitsTable;
}

export const postsTables: FeatureTables<PostsTables> = {
  tables: {
    posts: {
      columns: {
        id: 'id',
        channel_id: 'id',
        community_id: 'id',
        user_id: 'id',
        title: 'text',
        content: 'text',
        url: 'text',
        tags: 'text',
        mentions: 'text',
        files: 'text',
        created_at_ms: 'moment',
        edited_at_ms: 'moment',
        pinned: 'number',
        locked: 'number',
        spoiler: 'number',
        sensitive: 'number',
        from_channel_id: 'id',
        from_message_id: 'id',
        crosspost_of: 'id',
        accepted_comment_id: 'id',
        upvotes: 'number',
        downvotes: 'number',
        score: 'number',
        hot: 'number',
        active: 'number',
        controversial: 'number',
        comment_count: 'number',
        comment_number: 'number',
        last_comment_at_ms: 'moment',
        newest_comment_id: 'id',
        newest_comment_at_ms: 'moment',
        version: 'number',
      },
      key: ['id'],
      removedWith: { channel: 'channel_id' },
      people: {
        user_id: {
          rows: 'kept',
          because: 'erase-posts.ts removes posts of the person, unless the texts are kept',
        },
      },
    },
    post_tags: {
      columns: {
        tag_id: 'id',
        post_id: 'id',
        channel_id: 'id',
      },
      key: ['tag_id', 'post_id'],
      removedWith: { channel: 'channel_id' },
    },
    post_pins: {
      columns: {
        channel_id: 'id',
        post_id: 'id',
        pinned_at_ms: 'moment',
      },
      key: ['channel_id', 'post_id'],
      removedWith: { channel: 'channel_id' },
    },
    post_files: {
      columns: {
        file_id: 'id',
        channel_id: 'id',
        post_id: 'id',
      },
      key: ['file_id'],
      removedWith: { channel: 'channel_id' },
    },
    post_saves: {
      columns: {
        user_id: 'id',
        post_id: 'id',
        channel_id: 'id',
        saved_at_ms: 'moment',
      },
      key: ['user_id', 'post_id'],
      removedWith: { channel: 'channel_id' },
      people: { user_id: { rows: 'removed' } },
    },
    post_visits: {
      columns: {
        user_id: 'id',
        post_id: 'id',
        channel_id: 'id',
        comment_number: 'number',
        visited_at_ms: 'moment',
      },
      key: ['user_id', 'post_id'],
      removedWith: { channel: 'channel_id' },
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createPosts },
};

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The post with this id was deleted, or its title or whether it is sensitive was changed. */
    posts: true;
  }
}
