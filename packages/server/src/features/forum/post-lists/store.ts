import type { Id, PostSort, PostPeriod } from '@hearth/protocol';
import { sql } from 'kysely';
import type { Reader, Writer, Statement } from '../../../ports/database/database.ts';
import { readRows, readRowsIn, evenly } from '../../../ports/database/read-rows.ts';
import { storedId } from '../../../ports/database/stored-id.ts';
import { latestMoment } from '../../../lib/stored-moment.ts';
import { ID_DIGITS, storedIdsIn } from '../../../ports/database/packed-ids.ts';
import { CHANNELS_AT_ONCE, headsIn, textOf, type Head } from './merge-heads.ts';

/** Orders that have a rank of their own. */
export type RankedSort = Exclude<PostSort, 'new'>;

/** The sort of a list that may be limited to a period. */
export type PeriodSort = 'top' | 'controversial';

const RANKS = {
  hot: 'hot',
  active: 'active',
  top: 'score',
  controversial: 'controversial',
} as const satisfies Readonly<Record<RankedSort, string>>;

export interface HeadsQuery {
  /** Without it, the newest first, and no rank is read. */
  readonly sort?: RankedSort;
  /** Without it, by rank; otherwise the newest first, with their ranks. */
  readonly isByTime?: boolean;
  /** Only posts before this one. */
  readonly before?: string;
  /** Only this post and newer ones. */
  readonly from?: string;
}

/**
 * The first posts of each of the channels. A statement reads many channels, each from the beginning of an index. Both
 * engines write numbers as texts with all their digits.
 */
export async function selectHeads(
  db: Reader,
  channelIds: readonly Id[],
  { each, ...query }: HeadsQuery & { readonly each: number },
): Promise<ReadonlyMap<Id, readonly Head[]>> {
  const heads = new Map<Id, readonly Head[]>();
  const { before, from } = query;
  const limits = [
    ...(before === undefined ? [] : [{ text: 'posts.id <', value: before }]),
    ...(from === undefined ? [] : [{ text: 'posts.id >=', value: from }]),
  ];
  const statement = {
    text: `select channels.id as channel_id, (
        select string_agg(head, ',') from (
          select ${headOf(query)} as head from posts where posts.channel_id = channels.id
          ${limits.map(({ text }, at) => `and ${text} $${at + 1}`).join(' ')}
          order by ${placeOf(query)} limit $${limits.length + 1}
        ) as heads
      ) as heads
      from channels where channels.id in`,
    values: [...limits.map(({ value }) => value), each],
  };
  for (let first = 0; first < channelIds.length; first += CHANNELS_AT_ONCE) {
    const some = channelIds.slice(first, first + CHANNELS_AT_ONCE);
    for (const row of await readRowsIn<HeadsRow>(db, statement, some)) {
      heads.set(row.channel_id, headsIn(row.heads ?? ''));
    }
  }
  return heads;
}

interface HeadsRow {
  readonly channel_id: Id;
  readonly heads: string | null;
}

/** The ids of the first posts of a channel, packed. */
export async function selectRanked(
  db: Reader,
  channelId: Id,
  { sort, limit }: { readonly sort: RankedSort; readonly limit: number },
): Promise<string> {
  const rank = RANKS[sort];
  const text = `select id as stored from posts where channel_id = $1 order by ${rank} desc, id desc limit $2`;
  const rows = await readRows<{ readonly stored: string }>(db, {
    text,
    values: [channelId, limit],
  });
  return rows.map(({ stored }) => stored).join('');
}

/** The newest posts with a tag, in the order of their ranks. */
export async function selectTagged(
  db: Reader,
  tagId: Id,
  {
    sort,
    from,
    candidates,
    limit,
  }: {
    readonly sort: RankedSort;
    readonly from: string;
    readonly candidates: number;
    readonly limit: number;
  },
): Promise<string> {
  const rank = sql.ref(`posts.${RANKS[sort]}`);
  const { rows } = await sql<{ ids: string | null }>`
    select string_agg(id, '' order by place desc, id desc) as ids from (
      select id, place from (
        select posts.id as id, ${rank} as place from post_tags inner join posts on posts.id = post_tags.post_id
        where post_tags.tag_id = ${tagId} and post_tags.post_id >= ${from}
        order by post_tags.post_id desc limit ${candidates}
      ) as tagged
      order by place desc, id desc limit ${limit}
    ) as heads
  `.execute(db);
  return rows[0]?.ids ?? '';
}

/** The newest posts with a tag before one of them. */
export async function selectNewestTagged(
  db: Reader,
  tagId: Id,
  { before, limit }: { readonly before: Id | undefined; readonly limit: number },
): Promise<readonly Id[]> {
  let query = db.selectFrom('post_tags').select('post_id').where('tag_id', '=', tagId);
  if (before !== undefined) query = query.where('post_id', '<', before);
  const rows = await query.orderBy('post_id', 'desc').limit(limit).execute();
  return rows.map(({ post_id }) => post_id);
}

const HAS_TAG = 'and post_id in (select post_id from post_tags where tag_id = $2)';

/** The pinned posts of a channel, the one that was pinned last first. */
export async function selectPinned(
  db: Reader,
  channelId: Id,
  { tag, limit }: { readonly tag: Id | undefined; readonly limit: number },
): Promise<readonly Id[]> {
  const values = [channelId, ...(tag === undefined ? [] : [tag]), limit];
  const text = `select post_id from post_pins where channel_id = $1 ${tag === undefined ? '' : HAS_TAG}
    order by pinned_at_ms desc, post_id desc limit $${values.length}`;
  const rows = await readRows<{ readonly post_id: Id }>(db, { text, values });
  return rows.map(({ post_id }) => post_id);
}

/** The newest posts that somebody has written before one of them, and where. */
export async function selectPostsBy(
  db: Reader,
  userId: Id,
  { before, limit }: { readonly before: Id | undefined; readonly limit: number },
): Promise<readonly { readonly id: Id; readonly channelId: Id; readonly communityId: Id }[]> {
  let query = db
    .selectFrom('posts')
    .select(['id', 'channel_id as channelId', 'community_id as communityId'])
    .where('user_id', '=', userId);
  if (before !== undefined) query = query.where('id', '<', before);
  return await query.orderBy('id', 'desc').limit(limit).execute();
}

/** Posts of a channel after a place in their order, with their ranks. */
export async function selectRankedAfter(
  db: Reader,
  channelId: Id,
  {
    sort,
    after,
    limit,
  }: { readonly sort: PeriodSort; readonly after: Head | undefined; readonly limit: number },
): Promise<readonly Head[]> {
  const rank = RANKS[sort];
  let query = db
    .selectFrom('posts')
    .select(['id as stored', `${rank} as rank`])
    .where('channel_id', '=', channelId);
  if (after !== undefined) {
    query = query.where((own) =>
      own(own.refTuple(rank, 'id'), '<', own.tuple(after.rank, storedId(after.id))),
    );
  }
  const rows = await query.orderBy(rank, 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => ({ id: row.stored, rank: row.rank }));
}

function headOf({ sort }: HeadsQuery): string {
  return sort === undefined ? 'posts.id' : `posts.id || ' ' || cast(posts.${RANKS[sort]} as text)`;
}

function placeOf({ sort, isByTime = false }: HeadsQuery): string {
  return sort === undefined || isByTime
    ? 'posts.id desc'
    : `posts.${RANKS[sort]} desc, posts.id desc`;
}

/** A post as far as an address names it. */
export interface NamedPost {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly title: string;
  readonly changedAtMs: number;
}

/** The newest posts of the whole instance, without sensitive ones. */
export async function selectNewestPosts(
  db: Reader,
  { before, limit }: { readonly before: Id | undefined; readonly limit: number },
): Promise<readonly NamedPost[]> {
  let query = db
    .selectFrom('posts')
    .select(['id', 'channel_id as channelId', 'community_id as communityId', 'title'])
    .select(['created_at_ms', 'edited_at_ms'])
    .where('sensitive', '=', 0);
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(({ created_at_ms, edited_at_ms, ...post }) => {
    return { ...post, changedAtMs: Math.max(created_at_ms, edited_at_ms) };
  });
}

/** Which posts of a period come first in a channel. */
export interface PeriodList {
  readonly channelId: Id;
  readonly heads: readonly Head[];
  readonly madeAtMs: number;
}

/** The sort and the period of such a list. */
export interface PeriodKey {
  readonly sort: PeriodSort;
  readonly since: PostPeriod;
}

export async function selectPeriodLists(
  db: Reader,
  channelIds: readonly Id[],
  { sort, since }: PeriodKey,
): Promise<readonly PeriodList[]> {
  const found: PeriodList[] = [];
  for (let first = 0; first < channelIds.length; first += CHANNELS_AT_ONCE) {
    const rows = await db
      .selectFrom('post_period_lists')
      .select(['channel_id as channelId', 'posts', 'made_at_ms as madeAtMs'])
      .where('channel_id', 'in', evenly(channelIds.slice(first, first + CHANNELS_AT_ONCE)))
      .where('sort', '=', sort)
      .where('period', '=', since)
      .execute();
    for (const { posts, ...list } of rows) found.push({ ...list, heads: headsIn(posts) });
  }
  return found;
}

export async function storePeriodList(
  db: Writer,
  { sort, since }: PeriodKey,
  { channelId, heads, madeAtMs }: PeriodList,
): Promise<void> {
  const made = { posts: textOf(heads), made_at_ms: madeAtMs };
  await db
    .insertInto('post_period_lists')
    .values({ channel_id: channelId, sort, period: since, ...made })
    .onConflict((conflict) => conflict.columns(['channel_id', 'sort', 'period']).doUpdateSet(made))
    .execute();
}

/** An order of posts, or of comments on one, which never changes. */
export interface PostOrder {
  readonly key: string;
  /** The list that it is an order of. */
  readonly list: string;
  /** The ids of the posts or comments, packed. */
  readonly posts: string;
  readonly madeAtMs: number;
}

const SELECT = 'select key, list, posts, made_at_ms as "madeAtMs" from post_orders';
const OF_KEY = `${SELECT} where key = $1`;
const OF_LIST = `${SELECT} where list = $1 and made_at_ms > $2 and made_at_ms <= $3
  order by made_at_ms desc limit 1`;
const INSERT = 'insert into post_orders (key, list, posts, made_at_ms) values ($1, $2, $3, $4)';

export async function selectOrder(db: Reader, key: string): Promise<PostOrder | undefined> {
  const [row] = await readRows<PostOrder>(db, { text: OF_KEY, values: [key] });
  return row && { ...row, posts: completed(row.posts) };
}

/** The newest order of a list that was made within the last `withinMs`. */
export async function selectOrderOf(
  db: Reader,
  list: string,
  { nowMs, withinMs }: Readonly<Record<'nowMs' | 'withinMs', number>>,
): Promise<PostOrder | undefined> {
  const values = [list, nowMs - withinMs, latestMoment(nowMs)];
  const [row] = await readRows<PostOrder>(db, { text: OF_LIST, values });
  return row && { ...row, posts: completed(row.posts) };
}

/** A statement that keeps an order. */
export function insertOrder({ key, list, posts, madeAtMs }: PostOrder): Statement {
  return { text: INSERT, values: [key, list, shortened(posts), madeAtMs] };
}

/**
 * Returns the number of digits that the ids of an order have without the zeros that all of them begin with, and these
 * digits: half of the text.
 */
function shortened(posts: string): string {
  const ids = storedIdsIn(posts);
  const greatest = ids.reduce((one, other) => (one > other ? one : other), '');
  const zeros = Math.max(0, greatest.search(/[1-9]/));
  return String(ID_DIGITS - zeros).padStart(2, '0') + ids.map((id) => id.slice(zeros)).join('');
}

/** The ids of an order again, with their zeros. */
function completed(text: string): string {
  const length = Number(text.slice(0, 2));
  const ids = storedIdsIn(text.slice(2), length);
  return ids.map((id) => id.padStart(ID_DIGITS, '0')).join('');
}

/** Removes orders and lists of periods that are older than a moment each. */
export async function deleteOld(
  db: Writer,
  { ordersBeforeMs, listsBeforeMs }: Readonly<Record<'ordersBeforeMs' | 'listsBeforeMs', number>>,
): Promise<void> {
  await db.deleteFrom('post_orders').where('made_at_ms', '<=', ordersBeforeMs).execute();
  await db.deleteFrom('post_period_lists').where('made_at_ms', '<=', listsBeforeMs).execute();
}
