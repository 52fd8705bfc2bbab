import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../ports/database/database.ts';
import { sortable } from '../../ports/database/sortable-id.ts';
import type { Siblings } from './tree-store.ts';

/** Siblings in an order that votes no longer change. */
export interface FixedOrder {
  readonly id: Id;
  readonly ids: readonly Id[];
}

/** An order that was made after a moment, if there is one. */
export async function selectOrder(
  db: Reader,
  siblings: Siblings,
  { id, afterMs }: { readonly id?: Id; readonly afterMs: number },
): Promise<FixedOrder | undefined> {
  let query = db
    .selectFrom('post_orders')
    .select(['id', 'posts'])
    .where('list', '=', listOf(siblings))
    .where('made_at_ms', '>', afterMs);
  if (id !== undefined) query = query.where('id', '=', id);
  const row = await query.orderBy('made_at_ms', 'desc').limit(1).executeTakeFirst();
  // Guarantee: what is stored was made by the function below.
  return row && { id: row.id as Id, ids: JSON.parse(row.posts) as readonly Id[] };
}

/** Keeps an order. */
export async function insertOrder(
  db: Writer,
  siblings: Siblings,
  { id, ids, madeAtMs }: FixedOrder & { readonly madeAtMs: number },
): Promise<void> {
  const posts = JSON.stringify(ids);
  const list = listOf(siblings);
  await db.insertInto('post_orders').values({ id, list, posts, made_at_ms: madeAtMs }).execute();
}

/** Removes some orders that were made up to a moment. */
export async function deleteOrders(db: Writer, untilMs: number, limit: number): Promise<void> {
  const old = db
    .selectFrom('post_orders')
    .select('id')
    .where('made_at_ms', '<=', untilMs)
    .orderBy('made_at_ms')
    .limit(limit);
  await db.deleteFrom('post_orders').where('id', 'in', old).execute();
}

function listOf({ postId, parentId, sort }: Siblings): string {
  return `comments ${sortable(postId)} ${parentId} ${sort}`;
}
