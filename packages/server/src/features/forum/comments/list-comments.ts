import { ValidationError, type Comment, type CommentQuery, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Page } from '../../../page.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import type { KeepsPostOrders } from '../post-lists/post-lists.ts';
import type { CommentedPost, KeepsCommentedPosts, PostsContext } from '../posts/posts.ts';
import { accessToComments } from './comment-access.ts';
import { completeComments } from './complete-comments.ts';
import { readFewRoots, readRoots, type Roots } from './read-roots.ts';
import type { KeepsShownPages } from './shown-pages.ts';
import { selectComment, selectComments } from './store.ts';
import type { StoredComment } from './stored-comment.ts';
import { fillsPage, readTree, type TreeBounds } from './tree.ts';
import { inOrder, selectReplies, selectTree, type Siblings } from './tree-store.ts';

/** The context that it takes to show a page of comments. */
export interface CommentsContext
  extends AccessContext, KeepsCommentedPosts, KeepsPostOrders, KeepsShownPages, PostsContext {}

/** As many roots are read at first; with one more, to see whether others follow, they are as many as a statement takes well. */
const FEW_ROOTS = 19;

/**
 * A page of the tree of the comments on a post, each before its replies. Throws NotFoundError if the caller may not know that
 * the post exists, and ValidationError for `under` and `cursor`.
 */
export async function listComments(
  ctx: CommentsContext,
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
    (await shownPage(ctx, siblings, { post, cursor, bounds }));
  const all = page.comments.map((comment) => ({ comment, settings }));
  return { entries: await completeComments(ctx, actor, all), cursor: page.cursor };
}

/** Stored comments in tree order. */
interface TreePage {
  readonly comments: readonly StoredComment[];
  readonly cursor: string | undefined;
}

interface FoundPage extends TreePage {
  /** When the order was made that it is cut from; undefined if there is none. */
  readonly orderedAtMs?: number | undefined;
}

/** The only page of a tree, unless it has more comments than a page. */
async function wholeTree(
  { database }: Pick<Context, 'database'>,
  { postId, parentId, sort }: Siblings,
  bounds: TreeBounds,
): Promise<TreePage | undefined> {
  const all = await selectTree(database.reader, postId, bounds.limit);
  if (all === undefined) return undefined;
  const repliesTo = inOrder(all, sort);
  const roots = repliesTo.get(parentId) ?? [];
  return { comments: await readTree(roots, bounds, async () => repliesTo), cursor: undefined };
}

interface PagePlace {
  readonly cursor: string | undefined;
  readonly bounds: TreeBounds;
}

/** A page with the comments that it had a moment ago, as they are now. If one of them is gone, they are looked for again. */
async function shownPage(
  ctx: Context & KeepsPostOrders & KeepsShownPages,
  siblings: Siblings,
  { post, ...place }: PagePlace & { readonly post: CommentedPost },
): Promise<TreePage> {
  const { postId, parentId, sort } = siblings;
  const { depth, limit } = place.bounds;
  const name = [postId, parentId, sort, depth, limit, place.cursor].join(' ');
  const nowMs = ctx.clock.unixMs();
  const shown = ctx.shownPages.find(name, post, nowMs);
  if (shown !== undefined) {
    const found = await selectComments(ctx.database.reader, shown.ids);
    const byId = new Map(found.map((comment) => [comment.id, comment]));
    const comments = shown.ids.flatMap((id) => byId.get(id) ?? []);
    if (comments.length === shown.ids.length) return { comments, cursor: shown.cursor };
  }
  const { comments, cursor, orderedAtMs } = await pageOfTree(ctx, siblings, place);
  // Votes change a first page within a minute, and those who share an order share what is left of its minute.
  const isFirst = place.cursor === undefined;
  const madeAtMs = (isFirst ? orderedAtMs : undefined) ?? nowMs;
  ctx.shownPages.note(name, { ids: comments.map(({ id }) => id), cursor, madeAtMs }, post);
  return { comments, cursor };
}

/** A page whose comments are looked for. Throws ValidationError for `cursor`. */
export async function pageOfTree(
  ctx: Context & KeepsPostOrders,
  siblings: Siblings,
  { cursor, bounds }: PagePlace,
): Promise<FoundPage> {
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
  const roots = await rootsFor(ctx, siblings, { cursor, bounds });
  const { comments, count } = await treeOf(roots.comments);
  const next = await keptCursor(ctx, roots, count);
  return { comments, cursor: next, orderedAtMs: roots.order?.madeAtMs };
}

/** Reads the comments with which a page begins: only a few comments if these and their replies fill it. */
async function rootsFor(
  ctx: Context & KeepsPostOrders,
  siblings: Siblings,
  { cursor, bounds }: PagePlace,
): Promise<Roots> {
  const limit = Math.min(bounds.limit, FEW_ROOTS);
  const few = await readRoots(ctx, siblings, { cursor, limit });
  const next = await keptCursor(ctx, few, limit);
  if (next === undefined || fillsPage(few.comments, bounds)) return few;
  const others = await readRoots(ctx, siblings, { cursor: next, limit: bounds.limit - limit });
  return {
    ...others,
    comments: [...few.comments, ...others.comments],
    cursorAfter: (count) =>
      count <= limit ? few.cursorAfter(count) : others.cursorAfter(count - limit),
  };
}

/** The cursor after so many roots, which every process can read. */
async function keptCursor(
  ctx: Context & KeepsPostOrders,
  roots: Roots,
  count: number,
): Promise<string | undefined> {
  const cursor = roots.cursorAfter(count);
  if (cursor !== undefined && roots.order !== undefined) {
    await ctx.postOrders.keep(ctx, roots.order);
  }
  return cursor;
}
