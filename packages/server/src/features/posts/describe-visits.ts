import type { Post } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import type { StoredPost } from './stored-post.ts';
import { selectSaved, selectVisits } from './visit-store.ts';

/** Which posts the caller has saved, and how many comments were written since they were there. */
export async function describeVisits(
  { database }: CommunityContext,
  actor: Actor,
  posts: readonly StoredPost[],
): Promise<(post: StoredPost) => Partial<Post> | undefined> {
  if (actor.kind !== 'user') return () => undefined;
  const ids = posts.map(({ id }) => id);
  const saved = await selectSaved(database.reader, actor.user_id, ids);
  const visits = await selectVisits(database.reader, actor.user_id, ids);
  return ({ id, commentNumber }) => {
    const seen = visits.get(id);
    if (seen === undefined && !saved.has(id)) return undefined;
    return {
      ...(saved.has(id) && { saved: true as const }),
      ...(seen !== undefined && { new_comments: Math.max(0, commentNumber - seen) }),
    };
  };
}
