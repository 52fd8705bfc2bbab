import { compareIds, ValidationError, type Id, type PostQuery } from '@hearth/protocol';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { idSchema, MOST_POST_PINS } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import { readCursor, writeCursor } from '../../../page.ts';
import { packIds, storedIdsIn } from '../../../ports/database/packed-ids.ts';
import type { KnownChannel } from '../../communities/structure/structure.ts';
import type { StoredPost } from '../posts/posts.ts';
import { makeOrder, MOST_ORDERED } from './make-order.ts';
import { idsOf, mergeHeads } from './merge-heads.ts';
import { lengthOf, idsInOrder, type KeepsPostOrders } from './post-orders.ts';
import { readPosts } from './read-posts.ts';
import {
  selectHeads,
  selectNewestTagged,
  selectPinned,
  type RankedSort,
  type PostOrder,
} from './store.ts';

/** The posts of some channels, as one reader may see them. */
export interface PostList {
  /** The place whose posts it lists, such as a channel. */
  readonly place: string;
  /** The channels with posts that the reader sees. */
  readonly channels: ReadonlyMap<Id, KnownChannel>;
  /** The channel whose pinned posts come first. */
  readonly pinsOf?: Id;
}

/** A page of posts that are not described yet. */
export interface StoredPage {
  readonly posts: readonly StoredPost[];
  readonly cursor: string | undefined;
}

/** A place in an order: after so many posts. */
const placeSchema = z.object({ order: z.string(), at: z.int().nonnegative().max(MOST_ORDERED) });

/** A place in a list by time: the pinned posts that it began with, and what was read of it. */
const newestPlaceSchema = z.object({
  pins: z.array(idSchema).max(MOST_POST_PINS),
  shown: z.int().nonnegative().max(MOST_POST_PINS),
  before: idSchema.optional(),
});

/** A page of a list. Throws ValidationError for a cursor that is not one of the list, or not any more. */
export async function pageOfPosts(
  ctx: Context & KeepsPostOrders,
  list: PostList,
  { sort, ...query }: PostQuery,
): Promise<StoredPage> {
  const tag = query.tag;
  const isOfTag = (channel: KnownChannel) =>
    (channel.postSettings.tags ?? []).some(({ id }) => id === tag);
  const channels =
    tag === undefined
      ? list.channels
      : new Map([...list.channels].filter(([, channel]) => isOfTag(channel)));
  const narrow = { ...list, channels };
  return sort === 'new'
    ? await newestPage(ctx, narrow, query)
    : await rankedPage(ctx, narrow, { ...query, sort });
}

type Query = Omit<PostQuery, 'sort'>;

async function rankedPage(
  ctx: Context & KeepsPostOrders,
  list: PostList,
  { cursor, limit, ...query }: Query & { readonly sort: RankedSort },
): Promise<StoredPage> {
  const place = readCursor(placeSchema, cursor);
  const order =
    place === undefined
      ? await beginOrder(ctx, list, query)
      : await continuedOrder(ctx, place.order, nameOf(list, query));
  const at = place?.at ?? 0;
  const length = lengthOf(order) - at;
  const ids = {
    length,
    slice: (from: number, to: number) => idsInOrder(order, at + from, at + Math.min(to, length)),
  };
  const { posts, taken } = await readPosts(ctx.database, ids, {
    limit,
    isShown: shownIn(list, query.tag),
  });
  if (taken >= length) return { posts, cursor: undefined };
  await ctx.postOrders.keep(ctx, order);
  return { posts, cursor: writeCursor({ order: order.key, at: at + taken }) };
}

async function beginOrder(
  ctx: Context & KeepsPostOrders,
  list: PostList,
  query: Pick<PostQuery, 'since' | 'tag'> & { readonly sort: RankedSort },
): Promise<PostOrder> {
  const { sort, since, tag } = query;
  const channelIds = [...list.channels.keys()].toSorted(compareIds);
  const pins = since === undefined ? await pinsOf(ctx, list, tag) : [];
  const made = createHash('sha256').update([...channelIds, '', ...pins].join(' '));
  const name = `${nameOf(list, query)} ${made.digest('base64url')}`;
  return await ctx.postOrders.begin(ctx, name, async () => {
    const posts = await makeOrder(ctx, { channelIds, sort, since, tag });
    return pins.length === 0 ? posts : pinnedFirst(pins, posts);
  });
}

async function continuedOrder(
  ctx: Context & KeepsPostOrders,
  id: string,
  name: string,
): Promise<PostOrder> {
  const order = await ctx.postOrders.find(ctx, id);
  if (order?.list.startsWith(`${name} `) === true) return order;
  throw new ValidationError(
    'cursor',
    'must be that of the link to a next page, of 15 minutes ago at most',
  );
}

/** Returns the name of the orders of a list, without the channels that they are made of. */
function nameOf(
  { place }: PostList,
  { sort, since, tag }: Pick<PostQuery, 'sort' | 'since' | 'tag'>,
): string {
  return `${place} ${sort} ${since ?? 'ever'} ${tag ?? 'any'}`;
}

function pinnedFirst(pins: readonly Id[], posts: string): string {
  const stored = storedIdsIn(packIds(pins));
  const isPinned = new Set(stored);
  const others = storedIdsIn(posts).filter((id) => !isPinned.has(id));
  return [...stored, ...others].slice(0, MOST_ORDERED).join('');
}

async function newestPage(
  ctx: Pick<Context, 'database'>,
  list: PostList,
  { cursor, limit, before, tag }: Query,
): Promise<StoredPage> {
  const place = readCursor(newestPlaceSchema, cursor) ?? {
    // Those who page by ids expect all posts in their places.
    pins: before === undefined ? await pinsOf(ctx, list, tag) : [],
    shown: 0,
    before,
  };
  const isPinned = new Set(place.pins);
  const pins = [...isPinned].slice(place.shown);
  // Pinned posts are among the newest once more.
  const wanted = limit + 1 + isPinned.size;
  const newest = await newestIds(ctx, list, { before: place.before, tag, wanted });
  const others = newest.filter((id) => !isPinned.has(id));
  const ids = [...pins, ...others];
  const { posts, taken } = await readPosts(ctx.database, ids, {
    limit,
    isShown: shownIn(list, tag),
  });
  const isLast = taken === ids.length && newest.length < wanted;
  if (isLast) return { posts, cursor: undefined };
  const last = others[taken - pins.length - 1];
  const next = {
    pins: place.pins,
    shown: place.shown + Math.min(taken, pins.length),
    before: last ?? place.before,
  };
  return { posts, cursor: writeCursor(next) };
}

async function newestIds(
  { database }: Pick<Context, 'database'>,
  { channels }: PostList,
  {
    before,
    tag,
    wanted,
  }: { readonly before: Id | undefined; readonly tag: Id | undefined; readonly wanted: number },
): Promise<readonly Id[]> {
  if (channels.size === 0) return [];
  if (tag !== undefined) {
    return await selectNewestTagged(database.reader, tag, { before, limit: wanted });
  }
  const query = before === undefined ? {} : { before };
  const heads = await mergeHeads([...channels.keys()], {
    wanted,
    read: (ids, each) => selectHeads(database.reader, ids, { ...query, each }),
  });
  return idsOf(heads);
}

async function pinsOf(
  { database }: Pick<Context, 'database'>,
  { pinsOf: channelId, channels }: PostList,
  tag: Id | undefined,
): Promise<readonly Id[]> {
  if (channelId === undefined || !channels.has(channelId)) return [];
  return await selectPinned(database.reader, channelId, { tag, limit: MOST_POST_PINS });
}

/**
 * Returns a function that finds what a reader sees now: somebody may have hidden the channel of a post, or taken its
 * tag away, since an order was made.
 */
function shownIn({ channels }: PostList, tag: Id | undefined): (post: StoredPost) => boolean {
  return ({ channelId, tagIds }) =>
    channels.has(channelId) && (tag === undefined || tagIds.includes(tag));
}
