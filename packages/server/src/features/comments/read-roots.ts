import { ValidationError, type Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import { readCursor, writeCursor } from '../../page.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { deleteOrders, insertOrder, selectOrder, type FixedOrder } from './orders-store.ts';
import { selectComments } from './store.ts';
import type { StoredComment } from './stored-comment.ts';
import { selectSiblingIds, selectSiblings, type Siblings } from './tree-store.ts';

/** How many comments an order by votes has; the others follow, the newest first. */
export const MOST_ORDERED = 1_000;

/** How long readers share an order, and how long it is kept for their next pages, in milliseconds. */
const SHARED_MS = 60_000;
const KEPT_MS = 15 * 60_000;

/** How many old orders go when a new one comes. */
const REMOVED_AT_ONCE = 10;

/** A place among siblings: after one with a number, or after so many of an order. */
const placeSchema = z.union([
  z.strictObject({ number: z.int() }),
  z.strictObject({ order: idSchema, at: z.int().nonnegative() }),
  z.strictObject({ order: idSchema, number: z.int() }),
]);

type RootPlace = z.infer<typeof placeSchema>;

/** The first comments of a page, and where the next page begins if only the first so many are shown. */
export interface Roots {
  readonly comments: readonly StoredComment[];
  cursorAfter(count: number): string | undefined;
}

/** Which of the siblings. */
interface RootPage {
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * The comments that a page of a tree begins with. Pages neither repeat nor omit one of them: those that are ordered by votes
 * are read from an order that was made for the first page. Throws ValidationError for `cursor`.
 */
export async function readRoots(
  ctx: CommunityContext,
  siblings: Siblings,
  { cursor, limit }: RootPage,
): Promise<Roots> {
  const place = readCursor(placeSchema, cursor);
  const isByNumber = siblings.sort === 'new' || siblings.sort === 'old';
  if (isByNumber) {
    if (place !== undefined && 'order' in place) throw badCursor();
    return await rootsByNumber(ctx, siblings, { after: place?.number, limit });
  }
  if (place === undefined) return await firstRoots(ctx, siblings, limit);
  if (!('order' in place)) throw badCursor();
  const afterMs = ctx.clock.unixMs() - KEPT_MS;
  const order = await selectOrder(ctx.database.reader, siblings, { id: place.order, afterMs });
  if (order === undefined) throw badCursor();
  return await rootsIn(ctx, siblings, { order, place, limit });
}

async function rootsByNumber(
  { database }: CommunityContext,
  siblings: Siblings,
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<Roots> {
  const comments = await selectSiblings(database.reader, siblings, { after, limit: limit + 1 });
  return rootsOf(comments, limit, ({ number }) => ({ number }));
}

async function firstRoots(
  ctx: CommunityContext,
  siblings: Siblings,
  limit: number,
): Promise<Roots> {
  const { reader } = ctx.database;
  const comments = await selectSiblings(reader, siblings, { limit: limit + 1 });
  if (comments.length < 2) return rootsOf(comments, limit, () => ({}));
  const order = await orderOf(ctx, siblings);
  return await rootsIn(ctx, siblings, { order, place: { order: order.id, at: 0 }, limit });
}

/** The order of siblings as it is now, or was a moment ago. */
async function orderOf(ctx: CommunityContext, siblings: Siblings): Promise<FixedOrder> {
  const { database, clock } = ctx;
  const nowMs = clock.unixMs();
  const known = await selectOrder(database.reader, siblings, { afterMs: nowMs - SHARED_MS });
  if (known !== undefined) return known;
  const ids = await selectSiblingIds(database.reader, siblings, MOST_ORDERED);
  const order = { id: await ctx.ids.next(), ids };
  await database.transaction(async ({ sql }) => {
    await deleteOrders(sql, nowMs - KEPT_MS, REMOVED_AT_ONCE);
    await insertOrder(sql, siblings, { ...order, madeAtMs: nowMs });
  });
  return order;
}

interface OrderedPage {
  readonly order: FixedOrder;
  readonly place: Extract<RootPlace, { order: Id }>;
  readonly limit: number;
}

async function rootsIn(
  { database: { reader } }: CommunityContext,
  siblings: Siblings,
  { order, place, limit }: OrderedPage,
): Promise<Roots> {
  const found: { readonly comment: StoredComment; readonly after: RootPlace }[] = [];
  for (let at = 'at' in place ? place.at : order.ids.length; found.length <= limit;) {
    const ids = order.ids.slice(at, at + limit + 1);
    if (ids.length === 0) break;
    const some = new Map((await selectComments(reader, ids)).map((each) => [each.id, each]));
    for (const [index, id] of ids.entries()) {
      const comment = some.get(id);
      const after = { order: order.id, at: at + index + 1 };
      if (comment !== undefined) found.push({ comment, after });
    }
    at += ids.length;
  }
  const isOrdered = new Set(order.ids);
  let after = 'number' in place ? place.number : undefined;
  // Only an order that is full leaves comments out that were there when it was made.
  for (let isMore = order.ids.length === MOST_ORDERED; isMore && found.length <= limit;) {
    const others = { ...siblings, sort: 'new' } as const;
    const some = await selectSiblings(reader, others, { after, limit: MOST_ORDERED });
    for (const comment of some) {
      const rest = { order: order.id, number: comment.number };
      if (!isOrdered.has(comment.id)) found.push({ comment, after: rest });
    }
    after = some.at(-1)?.number;
    isMore = some.length === MOST_ORDERED;
  }
  const places = new Map(found.map((each) => [each.comment.id, each.after]));
  const comments = found.slice(0, limit + 1).map(({ comment }) => comment);
  return rootsOf(comments, limit, ({ id }) => places.get(id) ?? place);
}

/** Of comments, of which one more was read than are shown. */
function rootsOf(
  comments: readonly StoredComment[],
  limit: number,
  placeAfter: (comment: StoredComment) => object,
): Roots {
  return {
    comments: comments.slice(0, limit),
    cursorAfter(count) {
      const last = comments[count - 1];
      const isMore = comments.length > count;
      return isMore && last !== undefined ? writeCursor(placeAfter(last)) : undefined;
    },
  };
}

function badCursor(): ValidationError {
  return new ValidationError('cursor', 'must be that of the link to a next page');
}
