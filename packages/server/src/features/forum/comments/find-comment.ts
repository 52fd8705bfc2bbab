import type { Comment, Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import { accessToComment } from './comment-access.ts';
import { completeComments } from './complete-comments.ts';
import { selectByPaths } from './store.ts';
import { pathsAbove } from './stored-comment.ts';
import type { PostsContext } from '../posts/posts.ts';

/**
 * A comment, after the nearest so many of those above it, the topmost first. Throws NotFoundError if the caller may not know
 * that it exists.
 */
export async function findComment(
  ctx: AccessContext & PostsContext,
  actor: Actor,
  { id, context }: { readonly id: Id; readonly context: number },
): Promise<readonly Comment[]> {
  const { comment, channel } = await accessToComment(ctx, actor, id);
  const paths = pathsAbove(comment.path, context);
  const above = await selectByPaths(ctx.database.reader, comment.postId, paths);
  const settings = channel.postSettings;
  const all = [...above, comment].map((each) => ({ comment: each, settings }));
  return await completeComments(ctx, actor, all);
}
