import { compareIds, type Comment, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Page } from '../../../page.ts';
import { readSeen } from '../../communities/audiences/audiences.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import type { PostsContext } from '../posts/posts.ts';
import { findUser } from '../../accounts/users/users.ts';
import { completeListed } from './complete-comments.ts';
import { selectComments, selectPlacesOf } from './store.ts';

/** The number of comments of a person that are looked at for a page. */
export const MOST_READ = 1_000;

export interface UserCommentsQuery {
  readonly user_id: Id;
  readonly before?: Id | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Comments of a person that the caller may see, the newest first; those in unlisted communities only for their members. A
 * page may have fewer than `limit` although there are more. Throws NotFoundError, and ValidationError for `cursor`.
 */
export async function listUserComments(
  ctx: PostsContext & KeepsSealedCursors,
  actor: Actor,
  { user_id: userId, before: given, cursor, limit }: UserCommentsQuery,
): Promise<Page<Comment>> {
  const person = await findUser(ctx, actor, { id: userId });
  if (person.deleted === true) return { entries: [], cursor: undefined };
  const list = `comments of ${userId}`;
  const before = (await ctx.sealedCursors.read(list, cursor)) ?? given;
  const some = await selectPlacesOf(ctx.database.reader, userId, { before, limit: MOST_READ });
  const seenAt = await readSeen(ctx, actor.kind === 'account' ? actor.user_id : undefined, some);
  const seen = some.filter((place) => seenAt(place)?.isListed === true);
  const page = seen.slice(0, limit);
  const isMore = seen.length > limit || some.length === MOST_READ;
  const last = seen.length > limit ? page.at(-1)?.id : some.at(-1)?.id;
  const comments = await selectComments(
    ctx.database.reader,
    page.map(({ id }) => id),
  );
  const shown = comments
    // One may have been deleted meanwhile; then its place has no author.
    .filter((comment) => comment.userId === userId)
    .toSorted((one, other) => compareIds(other.id, one.id))
    .map((comment) => ({ comment, settings: seenAt(comment)?.channel.postSettings ?? {} }));
  return {
    entries: await completeListed(ctx, actor, shown),
    cursor: isMore && last !== undefined ? await ctx.sealedCursors.write(list, last) : undefined,
  };
}
