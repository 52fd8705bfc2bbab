import type { Id, PostSort } from '@hearth/protocol';
import { sql } from 'kysely';
import type { Reader } from '../../../ports/database/database.ts';
import { readRows, readRowsIn } from '../../../ports/database/read-rows.ts';
import { storedId } from '../../../ports/database/stored-id.ts';
import { CHANNELS_AT_ONCE, headsIn } from './heads-text.ts';
import type { Head } from './merge-heads.ts';

/** Orders that have a rank of their own. */
export type RankedSort = Exclude<PostSort, 'new'>;

/** What a list sorted by votes may be limited to. */
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

/** The ids of the first posts of a channel, one after another as they are stored. */
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
    .select(['id', 'channel_id', 'community_id'])
    .where('user_id', '=', userId);
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    channelId: row.channel_id,
    communityId: row.community_id,
  }));
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
  return rows.map((row) => ({ id: row.stored, rank: Number(row.rank) }));
}

function headOf({ sort }: HeadsQuery): string {
  return sort === undefined ? 'posts.id' : `posts.id || ' ' || cast(posts.${RANKS[sort]} as text)`;
}

function placeOf({ sort, isByTime = false }: HeadsQuery): string {
  return sort === undefined || isByTime
    ? 'posts.id desc'
    : `posts.${RANKS[sort]} desc, posts.id desc`;
}
