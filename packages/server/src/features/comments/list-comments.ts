import { ValidationError, type Comment, type CommentQuery, type Id } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Page } from '../../page.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { accessToComments } from './comment-access.ts';
import { completeComments } from './complete-comments.ts';
import { readRoots } from './read-roots.ts';
import { selectComment } from './store.ts';
import { readTree } from './tree.ts';
import { selectReplies } from './tree-store.ts';

/**
 * A page of the tree of the comments on a post, each before its replies. Throws NotFoundError if the caller may not know that
 * the post exists, and ValidationError for `under` and `cursor`.
 */
export async function listComments(
  ctx: CommunityContext,
  actor: Actor,
  { post_id: postId, sort, under, cursor, ...bounds }: CommentQuery & { readonly post_id: Id },
): Promise<Page<Comment>> {
  const { channel } = await accessToComments(ctx, actor, postId);
  const { reader } = ctx.database;
  if (under !== undefined && (await selectComment(reader, under))?.postId !== postId) {
    throw new ValidationError('under', 'must be the id of a comment on the post');
  }
  const siblings = { postId, parentId: under ?? '', sort } as const;
  const roots = await readRoots(ctx, siblings, { cursor, limit: bounds.limit });
  const shown = await readTree(roots.comments, bounds, (parents) =>
    selectReplies(reader, siblings, parents),
  );
  const count = shown.filter(({ parentId }) => parentId === siblings.parentId).length;
  const settings = channel.postSettings;
  const all = shown.map((comment) => ({ comment, settings }));
  return { entries: await completeComments(ctx, actor, all), cursor: roots.cursorAfter(count) };
}
