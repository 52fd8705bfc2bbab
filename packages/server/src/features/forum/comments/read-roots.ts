import { ValidationError } from '@hearth/protocol';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { readCursor, writeCursor } from '../../../page.ts';
import type { Reader } from '../../../ports/database/database.ts';
import {
  lengthOf,
  idsInOrder,
  type KeepsPostOrders,
  type PostOrder,
} from '../post-lists/post-lists.ts';
import { selectComments } from './store.ts';
import type { StoredComment } from './stored-comment.ts';
import { selectSiblingIds, selectSiblings, type Siblings } from './tree-store.ts';

/** The number of comments in an order by votes; the others follow, the newest first. */
export const MOST_ORDERED = 1_000;

/** The number of comments beyond an order that are read at a time. */
const READ_AT_ONCE = 200;

/** A place among siblings: after one with a number, or after so many of an order. */
const placeSchema = z.union([
  z.strictObject({ number: z.int() }),
  z.strictObject({ order: z.string(), at: z.int().nonnegative() }),
  z.strictObject({ order: z.string(), number: z.int() }),
]);

type RootPlace = z.infer<typeof placeSchema>;

/** The first comments of a page, and where the next page begins if only the first so many are shown. */
export interface Roots {
  readonly comments: readonly StoredComment[];
  /** The order that they are read from, which has to be kept for a next page. */
  readonly order?: PostOrder;
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
  ctx: Context & KeepsPostOrders,
  siblings: Siblings,
  { cursor, limit }: RootPage,
): Promise<Roots> {
  const place = readCursor(placeSchema, cursor);
  if (isByNumber(siblings)) {
    if (place !== undefined && 'order' in place) throw badCursor();
    return await rootsByNumber(ctx, siblings, { after: place?.number, limit });
  }
  if (place === undefined) {
    const order = await ctx.postOrders.begin(ctx, listOf(siblings), () =>
      selectSiblingIds(ctx.database.reader, siblings, MOST_ORDERED),
    );
    return await rootsIn(ctx, siblings, { order, place: { order: order.key, at: 0 }, limit });
  }
  const order = 'order' in place ? await ctx.postOrders.find(ctx, place.order) : undefined;
  if (!('order' in place) || order?.list !== listOf(siblings)) throw badCursor();
  return await rootsIn(ctx, siblings, { order, place, limit });
}

/**
 * All of the siblings in an order by votes as it is now, if they are at most so many; undefined if there are more, or if
 * readers share an order of them that was made a moment ago. An order by numbers never changes, so it has no need of this.
 */
export async function readFewRoots(
  ctx: Context & KeepsPostOrders,
  siblings: Siblings,
  limit: number,
): Promise<readonly StoredComment[] | undefined> {
  if (isByNumber(siblings) || ctx.postOrders.isShared(ctx, listOf(siblings))) return undefined;
  const comments = await selectSiblings(ctx.database.reader, siblings, { limit: limit + 1 });
  return comments.length <= limit ? comments : undefined;
}

async function rootsByNumber(
  { database }: Pick<Context, 'database'>,
  siblings: Siblings,
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<Roots> {
  const comments = await selectSiblings(database.reader, siblings, { after, limit: limit + 1 });
  return rootsOf(comments, limit, ({ number }) => ({ number }));
}

interface OrderedPage {
  readonly order: PostOrder;
  readonly place: Extract<RootPlace, { order: string }>;
  readonly limit: number;
}

/** A comment of a page, and the place after it. */
interface Found {
  readonly comment: StoredComment;
  readonly after: RootPlace;
}

async function rootsIn(
  { database: { reader } }: Pick<Context, 'database'>,
  siblings: Siblings,
  { order, place, limit }: OrderedPage,
): Promise<Roots> {
  const length = lengthOf(order);
  const first = 'number' in place ? length : place.at;
  const found = await foundIn(reader, order, { at: first, limit: limit + 1 });
  // Only an order that is full leaves comments out that were there when it was made.
  if (length === MOST_ORDERED && found.length <= limit) {
    const after = 'number' in place ? place.number : undefined;
    const rest = { order, after, limit: limit + 1 - found.length };
    found.push(...(await foundBeyond(reader, siblings, rest)));
  }
  const places = new Map(found.map((each) => [each.comment.id, each.after]));
  const comments = found.map(({ comment }) => comment);
  return { ...rootsOf(comments, limit, ({ id }) => places.get(id) ?? place), order };
}

/** The comments of an order from a place that are still there. */
async function foundIn(
  reader: Reader,
  order: PostOrder,
  { at: first, limit }: { readonly at: number; readonly limit: number },
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = first; at < lengthOf(order) && found.length < limit; at += limit) {
    const some = idsInOrder(order, at, at + limit);
    const byId = new Map((await selectComments(reader, some)).map((each) => [each.id, each]));
    for (const [index, id] of some.entries()) {
      const comment = byId.get(id);
      if (comment !== undefined)
        found.push({ comment, after: { order: order.key, at: at + index + 1 } });
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
  }: { readonly order: PostOrder; readonly after: number | undefined; readonly limit: number },
): Promise<readonly Found[]> {
  const isOrdered = new Set(idsInOrder(order, 0, lengthOf(order)));
  const others = { ...siblings, sort: 'new' } as const;
  const found: Found[] = [];
  for (let after = first, isMore = true; isMore && found.length < limit;) {
    const some = await selectSiblings(reader, others, { after, limit: READ_AT_ONCE });
    for (const comment of some) {
      if (isOrdered.has(comment.id)) continue;
      found.push({ comment, after: { order: order.key, number: comment.number } });
    }
    after = some.at(-1)?.number;
    isMore = some.length === READ_AT_ONCE;
  }
  return found.slice(0, limit);
}

/** Returns the roots that are shown of these comments, of which one more was read. */
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

/** Returns whether votes do not change the order. */
function isByNumber({ sort }: Siblings): boolean {
  return sort === 'new' || sort === 'old';
}

/** Returns the name of the orders of siblings. */
function listOf({ postId, parentId, sort }: Siblings): string {
  return `comments ${postId} ${parentId} ${sort}`;
}

function badCursor(): ValidationError {
  return new ValidationError('cursor', 'must be that of the link to a next page');
}
