import { latestMoment } from '../../../lib/stored-moment.ts';
import type { Reader, Statement, Writer } from '../../../ports/database/database.ts';
import { readRows } from '../../../ports/database/read-rows.ts';
import { ID_LENGTH, idsIn } from './heads-text.ts';
import type { PostOrdersTable } from './tables.ts';

const OF_ID = 'select * from post_orders where key = $1';
const OF_LIST = `select * from post_orders where list = $1 and made_at_ms > $2 and made_at_ms <= $3
  order by made_at_ms desc limit 1`;
const INSERT = 'insert into post_orders (key, list, posts, made_at_ms) values ($1, $2, $3, $4)';

export async function selectOrder(db: Reader, id: string): Promise<PostOrdersTable | undefined> {
  const [row] = await readRows<PostOrdersTable>(db, { text: OF_ID, values: [id] });
  return row && { ...row, posts: completed(row.posts) };
}

/** The newest order of a list that was made within the last `withinMs`. */
export async function selectOrderOf(
  db: Reader,
  list: string,
  { nowMs, withinMs }: Readonly<Record<'nowMs' | 'withinMs', number>>,
): Promise<PostOrdersTable | undefined> {
  const values = [list, nowMs - withinMs, latestMoment(nowMs)];
  const [row] = await readRows<PostOrdersTable>(db, { text: OF_LIST, values });
  return row && { ...row, posts: completed(row.posts) };
}

/** A statement that keeps an order. */
export function insertOrder({ key, list, posts, made_at_ms }: PostOrdersTable): Statement {
  return { text: INSERT, values: [key, list, shortened(posts), made_at_ms] };
}

/** How many digits the ids of an order have without the zeros that all of them begin with, and these digits: half of the text. */
function shortened(posts: string): string {
  const ids = idsIn(posts);
  const greatest = ids.reduce((one, other) => (one > other ? one : other), '');
  const zeros = Math.max(0, greatest.search(/[1-9]/));
  return String(ID_LENGTH - zeros).padStart(2, '0') + ids.map((id) => id.slice(zeros)).join('');
}

/** The ids of an order again, with their zeros. */
function completed(text: string): string {
  const length = Number(text.slice(0, 2));
  const ids = idsIn(text.slice(2), length);
  return ids.map((id) => id.padStart(ID_LENGTH, '0')).join('');
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
