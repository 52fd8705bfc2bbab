import { compareIds, type CommentSort, type Id, type Totals, type Voted } from '@hearth/protocol';
import type { ReceivedComment } from '@hearth/protocol/received-posts';
import { voted, withTotals } from './post-changes.ts';

/** The largest number of comments of a post that are shown. */
export const MOST_TREE_COMMENTS = 5_000;

/**
 * The part of a post's comments that is shown, each before its replies. Older versions change nothing, and neither does what was
 * applied before.
 */
export class CommentTree {
  readonly #sort: CommentSort;
  #all: readonly ReceivedComment[] = [];

  constructor(sort: CommentSort) {
    this.#sort = sort;
  }

  get all(): readonly ReceivedComment[] {
    return this.#all;
  }

  get(id: Id): ReceivedComment | undefined {
    return this.#all.find((comment) => comment.id === id);
  }

  /** Shows these and no others. What is known in a newer version stays so. */
  replace(page: readonly ReceivedComment[]): void {
    const known = new Map(this.#all.map((comment) => [comment.id, comment]));
    this.#all = page.slice(0, MOST_TREE_COMMENTS).map((comment) => {
      const before = known.get(comment.id);
      return before !== undefined && before.version > comment.version ? before : comment;
    });
  }

  /** Shows further ones: roots after all others, or replies after those to the same comment. */
  append(page: readonly ReceivedComment[], under: Id | undefined): void {
    const ids = new Set(this.#all.map(({ id }) => id));
    const room = MOST_TREE_COMMENTS - ids.size;
    const added = page.filter(({ id }) => !ids.has(id)).slice(0, room);
    const at = under === undefined ? this.#all.length : this.#endOf(under);
    if (at === undefined) return;
    this.#all = this.#all.toSpliced(at, 0, ...added);
  }

  /** Shows a new one, if what it replies to is shown. Returns whether it is news. */
  create(comment: ReceivedComment, parentReplyCount: number | undefined): boolean {
    const { parent_id: parentId } = comment;
    const parent = parentId === undefined ? undefined : this.get(parentId);
    if (this.get(comment.id) !== undefined) {
      if (parent !== undefined && parentReplyCount !== undefined) {
        this.#set(parent.id, { reply_count: parentReplyCount });
      }
      return this.update(comment);
    }
    if (parentId !== undefined && parent === undefined) return false;
    if (parent !== undefined) {
      this.#set(parent.id, { reply_count: parentReplyCount ?? parent.reply_count + 1 });
    }
    if (this.#all.length >= MOST_TREE_COMMENTS) return true;
    this.#all = this.#all.toSpliced(this.#placeOf(comment), 0, comment);
    return true;
  }

  /** A comment as it is now. Its votes and replies count without a version, and what concerns the reader is kept. */
  update(comment: ReceivedComment): boolean {
    const known = this.get(comment.id);
    if (known === undefined || known.version >= comment.version) return false;
    const { my_vote: vote } = known;
    const next = { ...comment, ...(vote === undefined ? {} : { my_vote: vote }) };
    this.#all = this.#all.map((each) => (each === known ? next : each));
    return true;
  }

  /** Comments were deleted that have no replies any more. */
  remove(
    ids: readonly Id[],
    parent: { readonly id: Id; readonly reply_count: number } | undefined,
  ) {
    const gone = new Set(ids);
    // The event may leave out how many replies are left.
    const above = this.#all.find(({ id, parent_id: up }) => gone.has(id) && up && !gone.has(up));
    const known = above?.parent_id === undefined ? undefined : this.get(above.parent_id);
    if (parent === undefined && known !== undefined) {
      this.#set(known.id, { reply_count: Math.max(known.reply_count - 1, 0) });
    }
    this.#all = this.#all.filter(({ id }) => !gone.has(id));
    if (parent !== undefined) this.#set(parent.id, { reply_count: parent.reply_count });
  }

  /** The totals of the votes for a comment. */
  score(id: Id, totals: Totals): void {
    this.#all = this.#all.map((each) => (each.id === id ? withTotals(each, totals) : each));
  }

  /** The answer to a vote of the reader. */
  voted(id: Id, answer: Voted): void {
    this.#all = this.#all.map((each) => (each.id === id ? voted(each, answer) : each));
  }

  #set(id: Id, change: Partial<ReceivedComment>): void {
    this.#all = this.#all.map((each) => (each.id === id ? { ...each, ...change } : each));
  }

  /** Returns where what comes after a comment and everything below it begins. */
  #endOf(id: Id): number | undefined {
    const at = this.#all.findIndex((comment) => comment.id === id);
    const root = this.#all[at];
    if (root === undefined) return undefined;
    const rest = this.#all.findIndex((each, index) => index > at && each.depth <= root.depth);
    return rest === -1 ? this.#all.length : rest;
  }

  /** Returns where a new comment belongs among those with the same parent: nobody has voted for it. */
  #placeOf({ id, parent_id: parentId }: ReceivedComment): number {
    const siblings = this.#all.filter((each) => each.parent_id === parentId);
    const next = siblings.find((each) => isAfterNew(each, id, this.#sort));
    if (next !== undefined) return this.#all.indexOf(next);
    return parentId === undefined ? this.#all.length : (this.#endOf(parentId) ?? this.#all.length);
  }
}

/**
 * Returns whether a comment comes after one with a newer or older id that nobody has voted for. The newest may not be
 * reported first.
 */
function isAfterNew(
  { id, score = 0, upvotes = 0, downvotes = 0 }: Totals & Pick<ReceivedComment, 'id'>,
  other: Id,
  sort: CommentSort,
): boolean {
  const isOlder = compareIds(id, other) < 0;
  switch (sort) {
    case 'new':
      return isOlder;
    case 'old':
      return !isOlder;
    case 'top':
      return score < 0 || (score === 0 && isOlder);
    case 'controversial':
      return Math.min(upvotes, downvotes) === 0 && isOlder;
  }
}
