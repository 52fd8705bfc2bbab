import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createPosts } from './migrations/001-posts.ts';

/** Posts. Ids that sort have leading zeros to 39 digits, here and in the tables below: those of posts, comments and messages. */
export interface PostsTable {
  id: string;
  channel_id: string;
  community_id: string;
  user_id: string;
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
  from_channel_id: string;
  /** Without leading zeros; empty if it was made from no message. */
  from_message_id: string;
  /** The id of the post that it repeats, without leading zeros; empty if it repeats none. */
  crosspost_of: string;
  /** Without leading zeros; empty if none was accepted. */
  accepted_comment_id: string;
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
  newest_comment_id: string;
  /** When that was written; 0 if it is not known. */
  newest_comment_at_ms: number;
  version: number;
}

/** Which posts have a tag. */
export interface PostTagsTable {
  tag_id: string;
  post_id: string;
  channel_id: string;
}

/** The posts that are pinned. */
export interface PostPinsTable {
  channel_id: string;
  post_id: string;
  pinned_at_ms: number;
}

/** The files of posts: each belongs to one. */
export interface PostFilesTable {
  file_id: string;
  channel_id: string;
  post_id: string;
}

/** The posts that people have saved. */
export interface PostSavesTable {
  user_id: string;
  post_id: string;
  channel_id: string;
  saved_at_ms: number;
}

/** Which comments of a post somebody has seen. */
export interface PostVisitsTable {
  user_id: string;
  post_id: string;
  channel_id: string;
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
        id: 'text',
        channel_id: 'text',
        community_id: 'text',
        user_id: 'text',
        title: 'text',
        content: 'text',
        url: 'text',
        tags: 'text',
        mentions: 'text',
        files: 'text',
        created_at_ms: 'number',
        edited_at_ms: 'number',
        pinned: 'number',
        locked: 'number',
        spoiler: 'number',
        sensitive: 'number',
        from_channel_id: 'text',
        from_message_id: 'text',
        crosspost_of: 'text',
        accepted_comment_id: 'text',
        upvotes: 'number',
        downvotes: 'number',
        score: 'number',
        hot: 'number',
        active: 'number',
        controversial: 'number',
        comment_count: 'number',
        comment_number: 'number',
        last_comment_at_ms: 'number',
        newest_comment_id: 'text',
        newest_comment_at_ms: 'number',
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
        tag_id: 'text',
        post_id: 'text',
        channel_id: 'text',
      },
      key: ['tag_id', 'post_id'],
      removedWith: { channel: 'channel_id' },
    },
    post_pins: {
      columns: {
        channel_id: 'text',
        post_id: 'text',
        pinned_at_ms: 'number',
      },
      key: ['channel_id', 'post_id'],
      removedWith: { channel: 'channel_id' },
    },
    post_files: {
      columns: {
        file_id: 'text',
        channel_id: 'text',
        post_id: 'text',
      },
      key: ['file_id'],
      removedWith: { channel: 'channel_id' },
    },
    post_saves: {
      columns: {
        user_id: 'text',
        post_id: 'text',
        channel_id: 'text',
        saved_at_ms: 'number',
      },
      key: ['user_id', 'post_id'],
      removedWith: { channel: 'channel_id' },
      people: { user_id: { rows: 'removed' } },
    },
    post_visits: {
      columns: {
        user_id: 'text',
        post_id: 'text',
        channel_id: 'text',
        comment_number: 'number',
        visited_at_ms: 'number',
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
