import { ValidationError, type Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import { readCursor, writeCursor } from '../../page.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import type { Reader } from '../../ports/database/database.ts';
import { deleteOrders, insertOrder, selectOrder, type FixedOrder } from './orders-store.ts';
import { selectComments } from './store.ts';
import type { StoredComment } from './stored-comment.ts';
import { selectSiblingIds, selectSiblings, type Siblings } from './tree-store.ts';

/** How many comments an order by votes has; the others follow, the newest first. */
export const MOST_ORDERED = 1_000;

/** How long readers share an order, and how long it is kept for their next pages, in milliseconds. */
const SHARED_MS = 60_000;
const KEPT_MS = 15 * 60_000;

/** How many comments beyond an order are read at a time. */
const READ_AT_ONCE = 200;

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
  // Few enough for one page, so no order is needed.
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

/** A comment of a page, and the place after it. */
interface Found {
  readonly comment: StoredComment;
  readonly after: RootPlace;
}

async function rootsIn(
  { database: { reader } }: CommunityContext,
  siblings: Siblings,
  { order, place, limit }: OrderedPage,
): Promise<Roots> {
  const first = 'number' in place ? order.ids.length : place.at;
  const found = await foundIn(reader, order, { at: first, limit: limit + 1 });
  // Only an order that is full leaves comments out that were there when it was made.
  if (order.ids.length === MOST_ORDERED && found.length <= limit) {
    const after = 'number' in place ? place.number : undefined;
    const rest = { order, after, limit: limit + 1 - found.length };
    found.push(...(await foundBeyond(reader, siblings, rest)));
  }
  const places = new Map(found.map((each) => [each.comment.id, each.after]));
  const comments = found.map(({ comment }) => comment);
  return rootsOf(comments, limit, ({ id }) => places.get(id) ?? place);
}

/** The comments of an order from a place that are still there. */
async function foundIn(
  reader: Reader,
  { id: order, ids }: FixedOrder,
  { at: first, limit }: { readonly at: number; readonly limit: number },
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = first; at < ids.length && found.length < limit; at += limit) {
    const some = ids.slice(at, at + limit);
    const byId = new Map((await selectComments(reader, some)).map((each) => [each.id, each]));
    for (const [index, id] of some.entries()) {
      const comment = byId.get(id);
      if (comment !== undefined) found.push({ comment, after: { order, at: at + index + 1 } });
    }
  }
  return found.slice(0, limit);
}

/** The siblings after one with a number that an order leaves out, the newest first. */
async function foundBeyond(
  reader: Reader,
  siblings: Siblings,
  {
    order,
    after: first,
    limit,
  }: { readonly order: FixedOrder; readonly after: number | undefined; readonly limit: number },
): Promise<readonly Found[]> {
  const isOrdered = new Set(order.ids);
  const others = { ...siblings, sort: 'new' } as const;
  const found: Found[] = [];
  for (let after = first, isMore = true; isMore && found.length < limit;) {
    const some = await selectSiblings(reader, others, { after, limit: READ_AT_ONCE });
    for (const comment of some) {
      if (isOrdered.has(comment.id)) continue;
      found.push({ comment, after: { order: order.id, number: comment.number } });
    }
    after = some.at(-1)?.number;
    isMore = some.length === READ_AT_ONCE;
  }
  return found.slice(0, limit);
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
