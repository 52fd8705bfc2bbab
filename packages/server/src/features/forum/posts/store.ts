import type { Id } from '@hearth/protocol';
import { MOST_POST_PINS } from '@hearth/protocol/schemas';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import { tooMany } from '../../../too-many.ts';
import { readRowsIn } from '../../../ports/database/read-rows.ts';
import { listText } from '../../talk/messages/messages.ts';
import { forgetMentionsIn, mentionsText, type NamedPost } from '../../talk/mentions/mentions.ts';
import { noteChanged } from '../../talk/index-queue/index-queue.ts';
import type { StoredMember } from '../../communities/structure/structure.ts';
import { newestBetween, type IdRange } from '../../../ports/database/id-range.ts';
import { postOf, type StoredPost } from './stored-post.ts';
import type { PostsTable } from './tables.ts';

const INSERT_POSTS = `insert into posts (id, channel_id, community_id, user_id, title, content, url, tags, mentions, files,
    created_at_ms, edited_at_ms, pinned, locked, spoiler, sensitive, from_channel_id, from_message_id, crosspost_of,
    accepted_comment_id, upvotes, downvotes, score, hot, active, controversial, comment_count, comment_number,
    last_comment_at_ms, version)
  select given.id, given.channel_id, given.community_id, given.user_id, given.title, given.content, given.url, given.tags,
    given.mentions, given.files, given.created_at_ms, 0, 0, 0, given.spoiler, given.sensitive, given.from_channel_id,
    given.from_message_id, given.crosspost_of, '', 0, 0, 0, given.hot, given.active, given.controversial, 0, 0, 0, 1
  from given join members on members.community_id = given.community_id and members.user_id = given.user_id
    and members.version = given.member_version
  returning id`;

const INSERTED = {
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
  created_at_ms: 'bigint',
  spoiler: 'bigint',
  sensitive: 'bigint',
  from_channel_id: 'text',
  from_message_id: 'text',
  crosspost_of: 'text',
  hot: 'double precision',
  active: 'double precision',
  controversial: 'double precision',
  member_version: 'bigint',
} as const;

/** A new post, and the member who writes it. */
export interface WrittenPost {
  readonly post: StoredPost;
  readonly member: Pick<StoredMember, 'version'>;
}

/**
 * Adds posts of members, but not of those who are no members any more, or have been changed. Returns the ids of those that it has
 * not added. It has to come after the channels are locked.
 */
export async function insertPosts(
  tx: Transaction,
  posts: readonly WrittenPost[],
): Promise<ReadonlySet<Id>> {
  const rows = await tx.many<Pick<PostsTable, 'id'>>({
    text: INSERT_POSTS,
    columns: INSERTED,
    rows: posts.map(({ post, member }) => [
      post.id,
      post.channelId,
      post.communityId,
      post.userId,
      post.title,
      post.content,
      post.url,
      listText(post.tagIds),
      mentionsText(post.mentions),
      listText(post.files),
      post.createdAtMs,
      post.isSpoiler ? 1 : 0,
      post.isSensitive ? 1 : 0,
      post.fromChannelId,
      post.fromMessageId,
      post.crosspostOf,
      post.hot,
      post.active,
      post.controversial,
      member.version,
    ]),
  });
  const added = new Set(rows.map(({ id }) => id));
  return new Set(posts.flatMap(({ post: { id } }) => (added.has(id) ? [] : [id])));
}

const INSERT_TAGS = `insert into post_tags (tag_id, post_id, channel_id)
  select tag_id, post_id, channel_id from given`;

export async function insertTags(
  tx: Transaction,
  posts: readonly Pick<StoredPost, 'id' | 'channelId' | 'tagIds'>[],
): Promise<void> {
  const rows = posts.flatMap(({ id, channelId, tagIds }) =>
    tagIds.map((tagId) => [tagId, id, channelId]),
  );
  if (rows.length === 0) return;
  await tx.runMany({
    text: INSERT_TAGS,
    columns: { tag_id: 'text', post_id: 'text', channel_id: 'text' },
    rows,
  });
}

export async function selectPost(db: Reader, id: Id): Promise<StoredPost | undefined> {
  const [post] = await selectPosts(db, [id]);
  return post;
}

/** Posts by their ids, in no order. */
export async function selectPosts(db: Reader, ids: readonly Id[]): Promise<readonly StoredPost[]> {
  const statement = { text: 'select * from posts where id in', values: [] };
  return (await readRowsIn<PostsTable>(db, statement, ids)).map(postOf);
}

/** Reads posts without what may be long, for posts that are only named. */
export async function selectNamedPosts(
  db: Reader,
  ids: readonly Id[],
): Promise<readonly NamedPost[]> {
  const text = `select id, channel_id as "channelId", community_id as "communityId", title
    from posts where id in`;
  return await readRowsIn<NamedPost>(db, { text, values: [] }, ids);
}

/** A post, which no other transaction changes until the end of this one. */
export async function lockPost(db: Writer, id: Id): Promise<StoredPost | undefined> {
  const row = await db
    .selectFrom('posts')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && postOf(row);
}

/** A post, which no other transaction changes or deletes until the end of this one; several may hold it at the same time. */
export async function holdPost(db: Writer, id: Id): Promise<StoredPost | undefined> {
  const row = await db
    .selectFrom('posts')
    .selectAll()
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row && postOf(row);
}

/** The fields of a post that may change besides its totals. */
export type PostFields = Pick<
  StoredPost,
  | 'id'
  | 'title'
  | 'content'
  | 'url'
  | 'tagIds'
  | 'mentions'
  | 'editedAtMs'
  | 'isPinned'
  | 'isLocked'
  | 'isSpoiler'
  | 'isSensitive'
  | 'version'
>;

/** Replaces what may change of a post that is locked. If it is found by other words then, `noteChanged` has to follow. */
export async function updatePost(db: Writer, { id, ...fields }: PostFields): Promise<void> {
  await db
    .updateTable('posts')
    .set({
      title: fields.title,
      content: fields.content,
      url: fields.url,
      tags: listText(fields.tagIds),
      mentions: mentionsText(fields.mentions),
      edited_at_ms: fields.editedAtMs,
      pinned: fields.isPinned ? 1 : 0,
      locked: fields.isLocked ? 1 : 0,
      spoiler: fields.isSpoiler ? 1 : 0,
      sensitive: fields.isSensitive ? 1 : 0,
      version: fields.version,
    })
    .where('id', '=', id)
    .execute();
}

/** Removes the link to its message from a post that is locked. */
export async function deleteSource(
  db: Writer,
  { id, version }: Pick<StoredPost, 'id' | 'version'>,
): Promise<void> {
  await db
    .updateTable('posts')
    .set({ from_channel_id: '', from_message_id: '', version })
    .where('id', '=', id)
    .execute();
}

export async function deleteTags(db: Writer, id: Id): Promise<void> {
  await db.deleteFrom('post_tags').where('post_id', '=', id).execute();
}

/** Removes a post, and everything of this feature that belongs to it but its files, saves and visits. */
export async function deletePostRows(
  db: Writer,
  { id, channelId }: Pick<StoredPost, 'id' | 'channelId'>,
): Promise<void> {
  const postId = id;
  await deleteTags(db, id);
  await db
    .deleteFrom('post_pins')
    .where('channel_id', '=', channelId)
    .where('post_id', '=', postId)
    .execute();
  await forgetMentionsIn(db, channelId, [id]);
  await db.deleteFrom('posts').where('id', '=', postId).execute();
  await noteChanged(db, 'posts', [id]);
}

/** Which posts or comments of a user: those of a community, or all, after an id or from one, and up to another. */
export interface WrittenRange {
  readonly communityId?: Id | undefined;
  readonly after?: Id | undefined;
  readonly from?: Id | undefined;
  readonly upTo?: Id | undefined;
  readonly limit: number;
}

/** Posts of a user, the oldest first. */
export async function selectPostsOf(
  db: Reader,
  userId: Id,
  { communityId, after, from, upTo, limit }: WrittenRange,
): Promise<readonly StoredPost[]> {
  let query = db.selectFrom('posts').selectAll().where('user_id', '=', userId);
  if (communityId !== undefined) query = query.where('community_id', '=', communityId);
  if (after !== undefined) query = query.where('id', '>', after);
  if (from !== undefined) query = query.where('id', '>=', from);
  if (upTo !== undefined) query = query.where('id', '<=', upTo);
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map(postOf);
}

/** The ids of the newest posts of all channels before an id, the newest first. */
export async function selectNewestPostIds(
  db: Reader,
  range: Omit<IdRange, 'after'>,
): Promise<readonly Id[]> {
  const posts = await newestBetween(db.selectFrom('posts').select('id'), range);
  return posts.map(({ id }) => id);
}

/** Throws ConflictError if no further post can be pinned in a channel. */
export async function requirePin(db: Reader, channelId: Id): Promise<void> {
  const { count } = await db
    .selectFrom('post_pins')
    .select((own) => own.fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  if (count < MOST_POST_PINS) return;
  throw tooMany('pinned', MOST_POST_PINS);
}

/** Pins a post of a channel that is locked, or takes it from the pins. */
export async function setPin(
  db: Writer,
  { id, channelId }: Pick<StoredPost, 'id' | 'channelId'>,
  pinnedAtMs: number | undefined,
): Promise<void> {
  const pin = { channel_id: channelId, post_id: id };
  if (pinnedAtMs !== undefined) {
    await db
      .insertInto('post_pins')
      .values({ ...pin, pinned_at_ms: pinnedAtMs })
      .execute();
    return;
  }
  await db
    .deleteFrom('post_pins')
    .where('channel_id', '=', channelId)
    .where('post_id', '=', pin.post_id)
    .execute();
}

const INSERT = `insert into post_files (file_id, channel_id, post_id)
  select file_id, channel_id, post_id from given`;

export async function insertPostFiles(
  tx: Transaction,
  posts: readonly Pick<StoredPost, 'channelId' | 'id' | 'files'>[],
): Promise<void> {
  const rows = posts.flatMap(({ channelId, id, files }) =>
    files.map((file) => [file.id, channelId, id]),
  );
  if (rows.length === 0) return;
  await tx.runMany({
    text: INSERT,
    columns: { file_id: 'text', channel_id: 'text', post_id: 'text' },
    rows,
  });
}

export async function deletePostFiles(db: Writer, fileIds: readonly Id[]): Promise<void> {
  if (fileIds.length === 0) return;
  await db.deleteFrom('post_files').where('file_id', 'in', fileIds).execute();
}

/** Posts of a channel after one of them that have files, the oldest first. */
export async function lockPostsWithFiles(
  db: Writer,
  channelId: Id,
  { after, limit }: { readonly after: Id | undefined; readonly limit: number },
): Promise<readonly StoredPost[]> {
  let query = db
    .selectFrom('posts')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('files', '!=', '');
  if (after !== undefined) query = query.where('id', '>', after);
  const rows = await query.orderBy('id').limit(limit).forUpdate().execute();
  return rows.map(postOf);
}

export type PostCounters = Pick<
  PostsTable,
  | 'upvotes'
  | 'downvotes'
  | 'score'
  | 'hot'
  | 'active'
  | 'controversial'
  | 'comment_count'
  | 'last_comment_at_ms'
>;

/** The posts after one of them, which nobody else changes until the transaction ends. */
export async function lockPostsAfter(
  db: Writer,
  { after, limit }: { readonly after: Id; readonly limit: number },
): Promise<readonly (PostCounters & Pick<PostsTable, 'id' | 'user_id' | 'created_at_ms'>)[]> {
  return await db
    .selectFrom('posts')
    .select(['id', 'upvotes', 'downvotes', 'score', 'hot', 'active', 'controversial'])
    .select(['user_id', 'comment_count', 'created_at_ms', 'last_comment_at_ms'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
}

/** Locks posts until the transaction ends. */
export async function lockPosts(db: Writer, ids: readonly Id[]): Promise<void> {
  await db
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Corrects what is counted of a post that is locked. */
export async function correctPost(db: Writer, id: Id, right: PostCounters): Promise<void> {
  await db.updateTable('posts').set(right).where('id', '=', id).execute();
}
