import type { Id, Post } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Page } from '../../../page.ts';
import { seenWith, type SeenAt } from '../../communities/audiences/audiences.ts';
import { readMemberships, type KeepsCommunities } from '../../communities/structure/structure.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import { completePosts, type PostsContext, type StoredPost } from '../posts/posts.ts';
import { findUser } from '../../accounts/users/users.ts';
import { readPosts } from './read-posts.ts';
import { selectPostsBy } from './store.ts';

/** The number of posts that a page reads at once, and together. */
const READ_AT_ONCE = 500;
export const MOST_READ = 10_000;

export interface UserPostsQuery {
  readonly id: Id;
  readonly before?: Id | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

type PostPlace = Pick<StoredPost, 'communityId' | 'channelId'>;

/**
 * The posts that somebody has written and the caller may see, the newest first; those in unlisted communities only for their
 * members. A page may be short, or even empty, although
 * others follow: so much is read for a page at most. Throws NotFoundError, and ValidationError for `cursor`.
 */
export async function listUserPosts(
  ctx: PostsContext & KeepsSealedCursors,
  actor: Actor,
  { id, before: given, cursor, limit }: UserPostsQuery,
): Promise<Page<Post>> {
  const { deleted } = await findUser(ctx, actor, { id });
  // What remains of them has no author any more.
  if (deleted === true) return { entries: [], cursor: undefined };
  const list = `posts of ${id}`;
  const before = (await ctx.sealedCursors.read(list, cursor)) ?? given;
  const { ids, end, sees } = await seenIds(ctx, actor, { userId: id, before, limit });
  const { posts, taken } = await readPosts(ctx.database, ids, { limit, isShown: sees });
  const last = taken < ids.length ? ids[taken - 1] : end;
  return {
    entries: await completePosts(ctx, actor, { posts, isList: true }),
    cursor: last === undefined ? undefined : await ctx.sealedCursors.write(list, last),
  };
}

/** Some more ids than a page has, and the last one that was read if there may be others. */
async function seenIds(
  ctx: Context & KeepsCommunities,
  actor: Actor,
  { userId, before, limit }: { userId: Id; before: Id | undefined; limit: number },
): Promise<{
  readonly ids: readonly Id[];
  readonly end: Id | undefined;
  readonly sees: (place: PostPlace) => boolean;
}> {
  const { reader } = ctx.database;
  const members = actor.kind === 'account' ? await readMemberships(reader, actor.user_id) : [];
  const places: PostPlace[] = [];
  const ids: Id[] = [];
  let end = before;
  let seenAt: SeenAt = () => undefined;
  const sees = (place: PostPlace) => seenAt(place)?.isListed === true;
  for (let read = 0; read < MOST_READ && ids.length <= limit; read += READ_AT_ONCE) {
    const query = { before: end, limit: READ_AT_ONCE };
    const found = await selectPostsBy(reader, userId, query);
    places.push(...found);
    const communities = await ctx.communities.all(places.map(({ communityId }) => communityId));
    seenAt = seenWith(members, communities);
    ids.push(...found.filter(sees).map((post) => post.id));
    end = found.at(-1)?.id ?? end;
    if (found.length < READ_AT_ONCE) return { ids, end: undefined, sees };
  }
  return { ids, end, sees };
}
