import type { CommentSort, Id } from '@hearth/protocol';
import type { ReceivedComment } from '@hearth/protocol/received-posts';
import type { Page } from '../pages.ts';
import type { CommentsClient } from './comments-client.ts';

/** The number of pages that are read again of what was shown when the connection was lost. */
const MOST_PAGES = 5;
const MOST_UNFOLDED = 10;

/** Which comments of a post are read, and how. */
interface TreeReading {
  readonly id: Id;
  readonly posts: { readonly comments: CommentsClient };
  readonly sort?: CommentSort | undefined;
  readonly depth?: number | undefined;
  readonly limit?: number | undefined;
  readonly signal: AbortSignal;
}

/** The comments that are shown after a post was read. */
interface ShownTree {
  readonly roots: readonly ReceivedComment[];
  readonly next: string | undefined;
  readonly unfolded: readonly (readonly [Id, readonly ReceivedComment[]])[];
}

/** As much of the tree as was shown before, within bounds. */
export async function readShownTree(
  reading: TreeReading & { readonly pages: number; readonly unfolded: Iterable<Id> },
): Promise<ShownTree> {
  const { posts, id, sort, depth, limit, signal, pages } = reading;
  const list = (from: { readonly cursor?: string; readonly under?: Id }) =>
    posts.comments.list(id, { sort, depth, limit, ...from }, { signal });
  let { entries: roots, next } = await list({});
  for (let page = 1; page < Math.min(pages, MOST_PAGES) && next !== undefined; page += 1) {
    const more = await list({ cursor: next });
    roots = [...roots, ...more.entries];
    next = more.next;
  }
  const unfolded: (readonly [Id, readonly ReceivedComment[]])[] = [];
  for (const under of [...reading.unfolded].slice(-MOST_UNFOLDED)) {
    // The comment may be gone.
    const page = await list({ under }).catch(() => undefined);
    if (page !== undefined) unfolded.push([under, page.entries]);
  }
  return { roots, next, unfolded };
}

/** Further comments. Of replies, the first ones are shown already, so this reads on until there is one that is not. */
export async function readMore(
  reading: TreeReading & {
    readonly under: Id | undefined;
    readonly cursor: string | undefined;
    readonly isShown: (id: Id) => boolean;
  },
): Promise<Page<ReceivedComment>> {
  const { posts, id, sort, depth, limit, signal, under, isShown } = reading;
  const entries: ReceivedComment[] = [];
  let { cursor } = reading;
  do {
    const query = { sort, depth, limit, under, cursor };
    const page = await posts.comments.list(id, query, { signal });
    entries.push(...page.entries);
    cursor = page.next;
  } while (
    under !== undefined &&
    cursor !== undefined &&
    entries.every((each) => isShown(each.id))
  );
  return { entries, next: cursor };
}
