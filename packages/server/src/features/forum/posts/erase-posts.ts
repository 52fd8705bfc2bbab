import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import type { Context } from '../../../context.ts';
import type { KeepsChannelHomes } from '../../communities/structure/structure.ts';
import { deletePostsOf } from './delete-posts-of.ts';

/** Deletes the posts of a deleted account, unless the person lets them stay: then they are those of a deleted account. */
export const erasePosts: EraseContent<Context & KeepsChannelHomes> = async (
  ctx,
  { userId, content, signal },
) => {
  if (content === 'erase') await deletePostsOf(ctx, { userId, signal });
};
