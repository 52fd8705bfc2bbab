import type { Reader, Statement, Writer } from '../../ports/database/database.ts';
import type { PostOrdersTable } from './tables.ts';

/** An order by its id. */
export async function selectOrder(db: Reader, id: string): Promise<PostOrdersTable | undefined> {
  return await db.selectFrom('post_orders').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The newest order of a list that was made after a moment. */
export async function selectOrderOf(
  db: Reader,
  list: string,
  afterMs: number,
): Promise<PostOrdersTable | undefined> {
  return await db
    .selectFrom('post_orders')
    .selectAll()
    .where('list', '=', list)
    .where('made_at_ms', '>', afterMs)
    .orderBy('made_at_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
}

const INSERT_ORDER = `insert into post_orders (id, list, posts, made_at_ms) values ($1, $2, $3, $4)`;

/** A statement that keeps an order. */
export function insertOrder({ id, list, posts, made_at_ms }: PostOrdersTable): Statement {
  return { text: INSERT_ORDER, values: [id, list, posts, made_at_ms] };
}

/** Removes orders and lists of periods that are older than a moment each. */
export async function deleteOld(
  db: Writer,
  {
    ordersBeforeMs,
    listsBeforeMs,
  }: { readonly ordersBeforeMs: number; readonly listsBeforeMs: number },
): Promise<void> {
  await db.deleteFrom('post_orders').where('made_at_ms', '<=', ordersBeforeMs).execute();
  await db.deleteFrom('post_period_lists').where('made_at_ms', '<=', listsBeforeMs).execute();
}
