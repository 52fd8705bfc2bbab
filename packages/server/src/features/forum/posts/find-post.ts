import { NotFoundError, type Id, type Post } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import { completePosts } from './complete-posts.ts';
import { accessToPost } from './post-access.ts';
import type { PostsContext } from './posts-context.ts';

/** A post. Throws NotFoundError if the caller may not know that it exists. */
export async function findPost(
  ctx: AccessContext & PostsContext,
  actor: Actor,
  { id }: { readonly id: Id },
): Promise<Post> {
  const { post } = await accessToPost(ctx, actor, id);
  const [complete] = await completePosts(ctx, actor, { posts: [post], isList: false });
  if (complete === undefined) throw new NotFoundError();
  return complete;
}
