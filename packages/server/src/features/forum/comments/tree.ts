import type { Id } from '@hearth/protocol';
import { MOST_SHOWN_REPLIES } from '@hearth/protocol/schemas';
import type { StoredComment } from './stored-comment.ts';

/** The part of a comment that decides where it is shown. */
type Node = Pick<StoredComment, 'id' | 'replyCount'>;

/** The size of the part of a tree that is shown. */
export interface TreeBounds {
  /** The number of levels. */
  readonly depth: number;
  /** The number of comments in all. */
  readonly limit: number;
}

/** Reads the replies to each of some comments of a level in their order, or only as many as are shown. */
export type ReadReplies<Some extends Node> = (
  parents: readonly Some[],
) => Promise<ReadonlyMap<Id | '', readonly Some[]>>;

/**
 * The first comments of a tree in tree order, each before its replies. It reads level by level, and only the replies to
 * comments that are far enough ahead for a reply to be among the first.
 */
export async function readTree<Some extends Node>(
  roots: readonly Some[],
  { depth, limit }: TreeBounds,
  read: ReadReplies<Some>,
): Promise<readonly Some[]> {
  const repliesTo = new Map<Id, readonly Some[]>();
  for (let level = 1; level < depth; level += 1) {
    const parents = openIn(roots, { repliesTo, limit });
    if (parents.length === 0) break;
    const found = await read(parents);
    // Also for those without any: then all of them were deleted meanwhile.
    for (const { id } of parents) {
      repliesTo.set(id, (found.get(id) ?? []).slice(0, MOST_SHOWN_REPLIES));
    }
  }
  return [...inTreeOrder(roots, repliesTo)].slice(0, limit);
}

/** Returns whether comments and those of their replies that are shown make a page. */
export function fillsPage(comments: readonly Node[], { depth, limit }: TreeBounds): boolean {
  const replies = comments.map(({ replyCount }) => (depth > 1 ? shownOf(replyCount) : 0));
  return replies.reduce((sum, count) => sum + count, comments.length) >= limit;
}

/** The comments whose replies are not known yet, and may be among the first. */
function openIn<Some extends Node>(
  roots: readonly Some[],
  { repliesTo, limit }: { readonly repliesTo: Replies<Some>; readonly limit: number },
): readonly Some[] {
  const open: Some[] = [];
  let count = 0;
  for (const comment of inTreeOrder(roots, repliesTo)) {
    count += 1;
    if (count >= limit) break;
    if (comment.replyCount === 0 || repliesTo.has(comment.id)) continue;
    open.push(comment);
    count += shownOf(comment.replyCount);
  }
  return open;
}

/** Returns the number of shown replies to a comment. */
function shownOf(replyCount: number): number {
  return Math.min(replyCount, MOST_SHOWN_REPLIES);
}

type Replies<Some extends Node> = ReadonlyMap<Id, readonly Some[]>;

function* inTreeOrder<Some extends Node>(
  siblings: readonly Some[],
  repliesTo: Replies<Some>,
): Generator<Some> {
  for (const comment of siblings) {
    yield comment;
    yield* inTreeOrder(repliesTo.get(comment.id) ?? [], repliesTo);
  }
}
