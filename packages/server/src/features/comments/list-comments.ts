import { ValidationError, type Comment, type CommentQuery, type Id } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Page } from '../../page.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { accessToComments } from './comment-access.ts';
import { completeComments } from './complete-comments.ts';
import { readFewRoots, readRoots } from './read-roots.ts';
import { selectComment } from './store.ts';
import type { StoredComment } from './stored-comment.ts';
import { readTree, type TreeBounds } from './tree.ts';
import { inOrder, selectReplies, selectTree, type Siblings } from './tree-store.ts';

/**
 * A page of the tree of the comments on a post, each before its replies. Throws NotFoundError if the caller may not know that
 * the post exists, and ValidationError for `under` and `cursor`.
 */
export async function listComments(
  ctx: CommunityContext,
  actor: Actor,
  { post_id: postId, sort, under, cursor, ...bounds }: CommentQuery & { readonly post_id: Id },
): Promise<Page<Comment>> {
  const { channel, post } = await accessToComments(ctx, actor, postId);
  if (under !== undefined && (await selectComment(ctx.database.reader, under))?.postId !== postId) {
    throw new ValidationError('under', 'must be the id of a comment on the post');
  }
  const siblings = { postId, parentId: under ?? '', sort } as const;
  const settings = channel.postSettings;
  const isSmall = cursor === undefined && post.commentCount <= bounds.limit;
  const page =
    (isSmall ? await wholeTree(ctx, siblings, bounds) : undefined) ??
    (await pageOfTree(ctx, siblings, { cursor, bounds }));
  const all = page.comments.map((comment) => ({ comment, settings }));
  return { entries: await completeComments(ctx, actor, all), cursor: page.cursor };
}

/** Stored comments in tree order. */
interface TreePage {
  readonly comments: readonly StoredComment[];
  readonly cursor: string | undefined;
}

/** The only page of a tree, unless it has more comments than a page. */
async function wholeTree(
  { database }: CommunityContext,
  { postId, parentId, sort }: Siblings,
  bounds: TreeBounds,
): Promise<TreePage | undefined> {
  const all = await selectTree(database.reader, postId, bounds.limit);
  if (all === undefined) return undefined;
  const repliesTo = inOrder(all, sort);
  const roots = repliesTo.get(parentId) ?? [];
  return { comments: await readTree(roots, bounds, async () => repliesTo), cursor: undefined };
}

async function pageOfTree(
  ctx: CommunityContext,
  siblings: Siblings,
  { cursor, bounds }: { readonly cursor: string | undefined; readonly bounds: TreeBounds },
): Promise<TreePage> {
  const { reader } = ctx.database;
  const treeOf = async (roots: readonly StoredComment[]) => {
    const comments = await readTree(roots, bounds, (parents) =>
      selectReplies(reader, siblings, parents),
    );
    const count = comments.filter(({ parentId }) => parentId === siblings.parentId).length;
    return { comments, count };
  };
  // What fits on one page needs no order that votes do not change.
  const few = cursor === undefined && (await readFewRoots(ctx, siblings, bounds.limit));
  if (few) {
    const { comments, count } = await treeOf(few);
    if (count === few.length) return { comments, cursor: undefined };
  }
  const roots = await readRoots(ctx, siblings, { cursor, limit: bounds.limit });
  const { comments, count } = await treeOf(roots.comments);
  const next = roots.cursorAfter(count);
  if (next !== undefined && roots.order !== undefined) {
    await ctx.postOrders.keep(ctx, roots.order);
  }
  return { comments, cursor: next };
}
