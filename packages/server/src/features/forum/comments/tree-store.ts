import type { CommentSort, Id } from '@hearth/protocol';
import { MOST_SHOWN_REPLIES } from '@hearth/protocol/schemas';
import type { Reader } from '../../../ports/database/database.ts';
import { readRows, readRowsIn } from '../../../ports/database/read-rows.ts';
import { commentOf, type StoredComment } from './stored-comment.ts';
import type { CommentsTable } from './tables.ts';

const ARE_SIBLINGS = 'post_id = $1 and parent_id = $2';

const ORDERS = {
  old: 'number',
  new: 'number desc',
  top: 'score desc, number desc',
  controversial: 'controversial desc, number desc',
} as const satisfies Readonly<Record<CommentSort, string>>;

/** If a comment has more replies, only those that are shown are read. To find some costs as much as to read twice as many. */
const MOST_READ_REPLIES = 2 * MOST_SHOWN_REPLIES;

/** The comments of a post that reply to the same, or to the post itself, in an order. */
export interface Siblings {
  readonly postId: Id;
  /** Empty for those that reply to the post itself. */
  readonly parentId: Id | '';
  readonly sort: CommentSort;
}

/** Siblings after one with a number, in an order that only depends on the number. */
export async function selectSiblings(
  db: Reader,
  { postId, parentId, sort }: Siblings,
  { after, limit }: { readonly after?: number | undefined; readonly limit: number },
): Promise<readonly StoredComment[]> {
  const isAfter = after === undefined ? '' : `and number ${sort === 'old' ? '>' : '<'} $3`;
  const values = [postId, parentId, ...(after === undefined ? [] : [after])];
  const text = `select * from comments where ${ARE_SIBLINGS} ${isAfter}
    order by ${ORDERS[sort]} limit $${values.length + 1}`;
  const rows = await readRows<CommentsTable>(db, { text, values: [...values, limit] });
  return rows.map(commentOf);
}

/** The ids of the first siblings, packed. */
export async function selectSiblingIds(
  db: Reader,
  { postId, parentId, sort }: Siblings,
  limit: number,
): Promise<string> {
  const text = `select id as stored from comments where ${ARE_SIBLINGS} order by ${ORDERS[sort]} limit $3`;
  const values = [postId, parentId, limit];
  const rows = await readRows<{ readonly stored: string }>(db, { text, values });
  return rows.map(({ stored }) => stored).join('');
}

/** All comments of a post, unless they are more than so many. */
export async function selectTree(
  db: Reader,
  postId: Id,
  most: number,
): Promise<readonly StoredComment[] | undefined> {
  const text = 'select * from comments where post_id = $1 limit $2';
  const values = [postId, most + 1];
  const rows = await readRows<CommentsTable>(db, { text, values });
  return rows.length > most ? undefined : rows.map(commentOf);
}

/** The replies to each of some comments of a post in their order, or only the first ones. */
export async function selectReplies(
  db: Reader,
  { postId, sort }: Pick<Siblings, 'postId' | 'sort'>,
  parents: readonly Pick<StoredComment, 'id' | 'replyCount'>[],
): Promise<ReadonlyMap<Id | '', readonly StoredComment[]>> {
  const few = parents.filter(({ replyCount }) => replyCount <= MOST_READ_REPLIES);
  const many = parents.filter(({ replyCount }) => replyCount > MOST_READ_REPLIES);
  const found = [
    ...(await selectAllReplies(db, postId, few)),
    ...(await selectFirstReplies(db, { postId, sort }, many)),
  ];
  return inOrder(found, sort);
}

/** Comments by what they reply to, in their order. */
export function inOrder(
  comments: readonly StoredComment[],
  sort: CommentSort,
): ReadonlyMap<Id | '', readonly StoredComment[]> {
  return Map.groupBy(comments.toSorted(BY_SORT[sort]), ({ parentId }) => parentId);
}

async function selectAllReplies(
  db: Reader,
  postId: Id,
  parents: readonly Pick<StoredComment, 'id'>[],
): Promise<readonly StoredComment[]> {
  const text = 'select * from comments where post_id = $1 and parent_id in';
  const statement = { text, values: [postId] };
  const ids = parents.map(({ id }) => id);
  return (await readRowsIn<CommentsTable>(db, statement, ids)).map(commentOf);
}

/** One index range for each comment, so that thousands of replies cost no more than those that are shown. */
async function selectFirstReplies(
  db: Reader,
  { postId, sort }: Pick<Siblings, 'postId' | 'sort'>,
  parents: readonly Pick<StoredComment, 'id'>[],
): Promise<readonly StoredComment[]> {
  if (parents.length === 0) return [];
  const ids = parents.map(({ id }) => id);
  const ranges = ids.map(
    (_, at) => `select * from (
      select * from comments where post_id = $1 and parent_id = $${at + 2}
      order by ${ORDERS[sort]} limit ${MOST_SHOWN_REPLIES}
    ) as replies`,
  );
  const text = ranges.join(' union all ');
  const rows = await readRows<CommentsTable>(db, { text, values: [postId, ...ids] });
  return rows.map(commentOf);
}

/** The orders in memory. */
const BY_SORT: Readonly<Record<CommentSort, (one: StoredComment, other: StoredComment) => number>> =
  {
    old: (one, other) => one.number - other.number,
    new: (one, other) => other.number - one.number,
    top: (one, other) => other.score - one.score || other.number - one.number,
    controversial: (one, other) =>
      other.controversial - one.controversial || other.number - one.number,
  };
