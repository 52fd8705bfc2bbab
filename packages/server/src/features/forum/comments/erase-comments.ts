import type { PostsContext } from '../posts/posts.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { deleteCommentsOf } from './delete-comments-of.ts';

/**
 * Deletes the comments of a deleted account, unless the person lets them stay: then they are those of a deleted account,
 * which has no name.
 */
export const eraseComments: EraseContent<PostsContext> = async (
  ctx,
  { userId, content, signal },
) => {
  if (content === 'erase') await deleteCommentsOf(ctx, { userId, signal });
};
