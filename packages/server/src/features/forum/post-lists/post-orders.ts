import type { Id } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import { ID_DIGITS, unpackIds } from '../../../ports/database/packed-ids.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Database } from '../../../ports/database/database.ts';
import { DAY_MS } from '../../../lib/clock.ts';
import { sweep } from '../../platform/jobs/jobs.ts';
import { insertOrder, selectOrder, selectOrderOf, deleteOld, type PostOrder } from './store.ts';

/** The time for which an order is shared by those who begin to read the same list. */
export const SHARED_FOR_MS = 60_000;

/** The time for which the pages of an order can be read. */
export const KEPT_FOR_MS = 15 * 60_000;

/** The number of characters of orders that are remembered; one has 39 for each post. */
const MOST_REMEMBERED = 16_000_000;

/** Finds posts or comments in their order now. */
export type MakeOrder = () => Promise<string>;

interface OrdersContext {
  readonly database: Database;
  readonly clock: { unixMs(): number };
}

/** Orders of posts and comments that pages are cut from. Every process finds those that have a second page. */
export class PostOrders {
  readonly #byKey = new LRUCache<string, PostOrder>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ list, posts }) => 100 + list.length + posts.length,
  });
  readonly #newest = new LRUCache<string, PostOrder>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ list, posts }) => 100 + list.length + posts.length,
  });
  /** Orders that are being made, by their lists. */
  readonly #making = new Map<string, Promise<PostOrder>>();
  /** The orders that other processes find, or are about to. */
  readonly #stored = new WeakMap<PostOrder, Promise<void>>();

  /** An order of a list that is a minute old at most. */
  async begin(ctx: OrdersContext, list: string, make: MakeOrder): Promise<PostOrder> {
    const known = this.#shared(ctx, list);
    if (known !== undefined) return known;
    const making = this.#making.get(list) ?? this.#begin(ctx, list, make);
    return await making;
  }

  /** Returns whether readers of this process share an order of a list now. */
  isShared(ctx: OrdersContext, list: string): boolean {
    return this.#shared(ctx, list) !== undefined;
  }

  /** An order that a reader has begun; undefined if there is none, or none any more. */
  async find(ctx: OrdersContext, key: string): Promise<PostOrder | undefined> {
    const order = this.#byKey.get(key) ?? (await this.#read(ctx, key));
    return order !== undefined && isYounger(ctx, order, KEPT_FOR_MS) ? order : undefined;
  }

  /** Makes sure that every process finds an order: to be called before a reader learns its key. */
  async keep({ database }: OrdersContext, order: PostOrder): Promise<void> {
    const storing =
      this.#stored.get(order) ??
      database.transaction(async (tx) => {
        await tx.run(insertOrder(order));
      });
    this.#stored.set(order, storing);
    try {
      await storing;
    } catch (error) {
      this.#stored.delete(order);
      throw error;
    }
    this.#byKey.set(order.key, order);
  }

  #shared(ctx: OrdersContext, list: string): PostOrder | undefined {
    const known = this.#newest.get(list);
    return known !== undefined && isYounger(ctx, known, SHARED_FOR_MS) ? known : undefined;
  }

  #begin(ctx: OrdersContext, list: string, make: MakeOrder): Promise<PostOrder> {
    const making = this.#make(ctx, list, make).finally(() => this.#making.delete(list));
    this.#making.set(list, making);
    return making;
  }

  async #make(ctx: OrdersContext, list: string, make: MakeOrder): Promise<PostOrder> {
    const { database, clock } = ctx;
    const nowMs = clock.unixMs();
    const known = await selectOrderOf(database.reader, list, { nowMs, withinMs: SHARED_FOR_MS });
    if (known !== undefined) return this.#remember(known);
    const order = { key: crypto.randomUUID(), list, posts: await make(), madeAtMs: nowMs };
    this.#newest.set(list, order);
    return order;
  }

  async #read({ database }: OrdersContext, key: string): Promise<PostOrder | undefined> {
    const order = await selectOrder(database.reader, key);
    return order && this.#remember(order);
  }

  #remember(order: PostOrder): PostOrder {
    this.#stored.set(order, Promise.resolve());
    this.#byKey.set(order.key, order);
    const newest = this.#newest.get(order.list);
    if (newest === undefined || newest.madeAtMs < order.madeAtMs) {
      this.#newest.set(order.list, order);
    }
    return order;
  }
}

export interface KeepsPostOrders {
  readonly postOrders: PostOrders;
}

/** The ids in a part of an order. */
export function idsInOrder(
  { posts }: Pick<PostOrder, 'posts'>,
  from: number,
  to: number,
): readonly Id[] {
  return unpackIds(posts.slice(from * ID_DIGITS, to * ID_DIGITS));
}

export function lengthOf({ posts }: Pick<PostOrder, 'posts'>): number {
  return posts.length / ID_DIGITS;
}

function isYounger({ clock }: OrdersContext, { madeAtMs }: PostOrder, ms: number): boolean {
  return ageOf(madeAtMs, clock.unixMs()) < ms;
}

/** Removes orders that nobody can read any more, and lists of periods that nobody has asked for within a day. */
export const sweepPostOrders = sweep('sweep-post-orders', KEPT_FOR_MS, ({ sql }, nowMs) =>
  deleteOld(sql, { ordersBeforeMs: nowMs - KEPT_FOR_MS, listsBeforeMs: nowMs - DAY_MS }),
);
