import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createPosts } from './migrations/001-posts.ts';

const tables = {
  /** Posts. */
  posts: table({
    columns: {
      id: column.id,
      channel_id: column.id,
      community_id: column.id,
      user_id: column.id,
      title: column.text,
      /** Empty if it has none. */
      content: column.text,
      /** Empty if it has none. */
      url: column.text,
      /** The ids of its tags, as JSON; empty if it has none. */
      tags: column.text,
      /** The people and things that it mentions, as JSON; empty if there are none. */
      mentions: column.text,
      /** Its files, as JSON; empty if it has none. */
      files: column.text,
      created_at_ms: column.moment,
      /** 0 if it was never edited. */
      edited_at_ms: column.moment,
      pinned: column.number,
      locked: column.number,
      spoiler: column.number,
      sensitive: column.number,
      /** The place of the message that it was made from; empty if it was not. */
      from_channel_id: column.optionalId,
      /** Empty if it was made from no message. */
      from_message_id: column.optionalId,
      /** The id of the post that it repeats; empty if it repeats none. */
      crosspost_of: column.optionalId,
      /** Empty if none was accepted. */
      accepted_comment_id: column.optionalId,
      upvotes: column.number,
      downvotes: column.number,
      /** `upvotes` less `downvotes`. */
      score: column.number,
      /** The rank of a list sorted by `hot`; the others are alike. */
      hot: column.number,
      active: column.number,
      controversial: column.number,
      /** The number of its comments, deleted ones that have replies among them. */
      comment_count: column.number,
      /** The number of its newest comment. */
      comment_number: column.number,
      /** When somebody else commented last; 0 if nobody did. */
      last_comment_at_ms: column.moment,
      /** The id of its newest comment, which may have been deleted; empty if there was none, or if it is not known. */
      newest_comment_id: column.optionalId,
      /** When that was written; 0 if it is not known. */
      newest_comment_at_ms: column.moment,
      version: column.number,
    },
    key: ['id'],
    removedWith: { channel: 'channel_id' },
    people: {
      user_id: {
        rows: 'kept',
        because: 'delete-posts-of.ts removes posts of the person, unless the texts are kept',
      },
      mentions: {
        rows: 'kept',
        because: 'texts of others go on mentioning a deleted account, which is shown as such',
      },
    },
  }),
  /** Which posts have a tag. */
  post_tags: table({
    columns: {
      tag_id: column.id,
      post_id: column.id,
      channel_id: column.id,
    },
    key: ['tag_id', 'post_id'],
    removedWith: { channel: 'channel_id' },
  }),
  /** The posts that are pinned. */
  post_pins: table({
    columns: {
      channel_id: column.id,
      post_id: column.id,
      pinned_at_ms: column.moment,
    },
    key: ['channel_id', 'post_id'],
    removedWith: { channel: 'channel_id' },
  }),
  /** The files of posts: each belongs to one. */
  post_files: table({
    columns: {
      file_id: column.id,
      channel_id: column.id,
      post_id: column.id,
    },
    key: ['file_id'],
    removedWith: { channel: 'channel_id' },
  }),
  /** The posts that people have saved. */
  post_saves: table({
    columns: {
      user_id: column.id,
      post_id: column.id,
      channel_id: column.id,
      saved_at_ms: column.moment,
    },
    key: ['user_id', 'post_id'],
    removedWith: { channel: 'channel_id' },
    people: { user_id: { rows: 'removed' } },
  }),
  /** Which comments of a post somebody has seen. */
  post_visits: table({
    columns: {
      user_id: column.id,
      post_id: column.id,
      channel_id: column.id,
      /** The number of the newest comment then. */
      comment_number: column.number,
      visited_at_ms: column.moment,
    },
    key: ['user_id', 'post_id'],
    removedWith: { channel: 'channel_id' },
    people: { user_id: { rows: 'removed' } },
  }),
};

export type PostsTable = Row<typeof tables.posts>;

export type PostSavesTable = Row<typeof tables.post_saves>;

export const postsTables = {
  tables,
  migrations: { '001-first': createPosts },
} satisfies FeatureTables;

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The post with this id was deleted, or its title or whether it is sensitive was changed. */
    posts: true;
  }
}
