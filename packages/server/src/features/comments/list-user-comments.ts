import type { Comment, Id } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { sightOf } from '../audiences/sight.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findUser } from '../users/find-user.ts';
import { completeComments } from './complete-comments.ts';
import { selectCommentsOf } from './store.ts';

/** How many comments of a person are looked at for a page. */
const MOST_READ = 1_000;

/** Comments of a person, and before which one the next page begins; undefined if there is none. */
export interface UserComments {
  readonly entries: readonly Comment[];
  readonly before: Id | undefined;
}

/**
 * Comments of a person that the caller may see, the newest first; those in unlisted communities only for their members. A
 * page may have fewer than `limit` although there are more. Throws NotFoundError.
 */
export async function listUserComments(
  ctx: CommunityContext,
  actor: Actor,
  query: { readonly user_id: Id; readonly before?: Id | undefined; readonly limit: number },
): Promise<UserComments> {
  const { user_id: userId, before, limit } = query;
  const person = await findUser(ctx, actor, { id: userId });
  if (person.deleted === true) return { entries: [], before: undefined };
  const range = { before, isNewestFirst: true, limit: MOST_READ };
  const some = await selectCommentsOf(ctx.database.reader, userId, range);
  const sight = await sightOf(ctx, actor.kind === 'user' ? actor.user_id : undefined, some);
  const seen = some.flatMap((comment) => {
    const place = sight(comment);
    const isListed = place?.member !== undefined || place?.community.stored.visibility === 'public';
    return place && isListed ? [{ comment, settings: place.channel.postSettings }] : [];
  });
  const page = seen.slice(0, limit);
  const isMore = seen.length > limit || some.length === MOST_READ;
  const last = seen.length > limit ? page.at(-1)?.comment.id : some.at(-1)?.id;
  const entries = await completeComments(ctx, actor, page);
  return { entries, before: isMore ? last : undefined };
}
