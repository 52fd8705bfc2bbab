import type { CommentSort, Id } from '@hearth/protocol';
import { MOST_SHOWN_REPLIES } from '@hearth/protocol/schemas';
import type { Reader } from '../../ports/database/database.ts';
import { sortable } from '../../ports/database/sortable-id.ts';
import { commentOf, parentColumn, type StoredComment } from './stored-comment.ts';

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
  siblings: Siblings,
  { after, limit }: { readonly after?: number | undefined; readonly limit: number },
): Promise<readonly StoredComment[]> {
  let query = siblingsOf(db, siblings).selectAll();
  if (after !== undefined) {
    query = query.where('number', siblings.sort === 'old' ? '>' : '<', after);
  }
  return (await query.limit(limit).execute()).map(commentOf);
}

/** The ids of the first siblings, one after another as they are stored. */
export async function selectSiblingIds(
  db: Reader,
  siblings: Siblings,
  limit: number,
): Promise<string> {
  const rows = await siblingsOf(db, siblings).select('id').limit(limit).execute();
  return rows.map(({ id }) => id).join('');
}

/** The first replies to each of some comments of a post, in their order. */
export async function selectReplies(
  db: Reader,
  { postId, sort }: Pick<Siblings, 'postId' | 'sort'>,
  parents: readonly Pick<StoredComment, 'id' | 'replyCount'>[],
): Promise<ReadonlyMap<Id, readonly StoredComment[]>> {
  const few = parents.filter(({ replyCount }) => replyCount <= MOST_SHOWN_REPLIES);
  const many = parents.filter(({ replyCount }) => replyCount > MOST_SHOWN_REPLIES);
  const found = [
    ...(await selectAllReplies(db, postId, few)),
    ...(await selectFirstReplies(db, { postId, sort }, many)),
  ].toSorted(BY_SORT[sort]);
  const repliesTo = new Map<Id, StoredComment[]>();
  for (const reply of found) {
    if (reply.parentId === '') continue;
    const replies = repliesTo.getOrInsertComputed(reply.parentId, () => []);
    if (replies.length < MOST_SHOWN_REPLIES) replies.push(reply);
  }
  return repliesTo;
}

async function selectAllReplies(
  db: Reader,
  postId: Id,
  parents: readonly Pick<StoredComment, 'id'>[],
): Promise<readonly StoredComment[]> {
  if (parents.length === 0) return [];
  const ids = parents.map(({ id }) => sortable(id));
  const rows = await db
    .selectFrom('comments')
    .selectAll()
    .where('post_id', '=', sortable(postId))
    .where('parent_id', 'in', ids)
    .execute();
  return rows.map(commentOf);
}

/** One index range for each comment, so that thousands of replies cost no more than those that are shown. */
async function selectFirstReplies(
  db: Reader,
  place: Pick<Siblings, 'postId' | 'sort'>,
  parents: readonly Pick<StoredComment, 'id'>[],
): Promise<readonly StoredComment[]> {
  const [first, ...others] = parents.map(({ id }) => {
    const replies = siblingsOf(db, { ...place, parentId: id }).selectAll();
    return db.selectFrom(replies.limit(MOST_SHOWN_REPLIES).as('replies')).selectAll();
  });
  if (first === undefined) return [];
  const query = others.reduce((all, other) => all.unionAll(other), first);
  return (await query.execute()).map(commentOf);
}

function siblingsOf(db: Reader, { postId, parentId, sort }: Siblings) {
  const siblings = db
    .selectFrom('comments')
    .where('post_id', '=', sortable(postId))
    .where('parent_id', '=', parentColumn(parentId));
  switch (sort) {
    case 'old':
      return siblings.orderBy('number', 'asc');
    case 'new':
      return siblings.orderBy('number', 'desc');
    case 'top':
      return siblings.orderBy('score', 'desc').orderBy('number', 'desc');
    case 'controversial':
      return siblings.orderBy('controversial', 'desc').orderBy('number', 'desc');
  }
}

/** The same orders in memory. */
export const BY_SORT: Readonly<
  Record<CommentSort, (one: StoredComment, other: StoredComment) => number>
> = {
  old: (one, other) => one.number - other.number,
  new: (one, other) => other.number - one.number,
  top: (one, other) => other.score - one.score || other.number - one.number,
  controversial: (one, other) =>
    other.controversial - one.controversial || other.number - one.number,
};
