import { NotFoundError, type Id, type Post } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Page } from '../../../page.ts';
import { tooMany } from '../../../too-many.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  accessIn,
  type AccessContext,
  type KeepsCommunities,
  type KeepsMembers,
} from '../../communities/structure/structure.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import { accessStill } from '../../talk/places/places.ts';
import { readNotificationsOfPost } from '../../talk/notifications/notifications.ts';
import { holdUser, requireReader, type KeepsUsers } from '../../accounts/users/users.ts';
import { completePosts } from './complete-posts.ts';
import { accessToPost } from './post-access.ts';
import type { PostsContext } from './posts-context.ts';
import { holdPost, selectPosts } from './store.ts';
import type { StoredPost } from './stored-post.ts';
import {
  countSaves,
  deleteOldVisits,
  deleteSave,
  insertSave,
  selectSaved,
  selectSavedPosts,
  setVisit,
  type SavedPost,
} from './visit-store.ts';

/** The number of posts that somebody may save, and of those of which it is known which comments they have seen. */
export const MOST_SAVED = 1_000;
export const MOST_VISITS = 1_000;

/** The number of saved posts that are looked at at once. */
const LOOKED_AT_ONCE = 100;

/** Saves a post; harmless if repeated. Throws NotFoundError, and ConflictError for one post too many. */
export async function savePost(
  ctx: AccessContext,
  actor: Account,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  const { user_id: userId } = actor;
  await withPost(ctx, { actor, id }, async (tx, post) => {
    const saved = await selectSaved(tx.sql, userId, [id]);
    if (saved.size === 0 && (await countSaves(tx.sql, userId)) >= MOST_SAVED) {
      throw tooMany('saved', MOST_SAVED);
    }
    await insertSave(tx.sql, post, { userId, nowMs: ctx.clock.unixMs() });
  });
  return {};
}

/** Removes a post from those that the caller has saved. Throws NotFoundError, also if they have not. */
export async function unsavePost(
  ctx: Pick<Context, 'database'>,
  actor: Account,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  const isGone = await ctx.database.transaction(({ sql }) => deleteSave(sql, actor.user_id, id));
  if (!isGone) throw new NotFoundError();
  return {};
}

/** Which of their saved posts somebody requests. */
export interface SavedQuery {
  readonly before?: Id | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * The posts that the caller has saved, the newest post first. Those that they do not see any more are left out. Throws
 * ValidationError for `cursor`.
 */
export async function listSaved(
  ctx: PostsContext & KeepsSealedCursors & KeepsMembers,
  actor: Account,
  { before, cursor, limit }: SavedQuery,
): Promise<Page<Post>> {
  await requireReader(ctx, actor);
  const list = `posts saved by ${actor.user_id}`;
  const seen: SavedPost[] = [];
  let last = (await ctx.sealedCursors.read(list, cursor)) ?? before;
  // At most ten times, because nobody saves more than 1,000 posts.
  while (seen.length <= limit) {
    const range = { before: last, limit: LOOKED_AT_ONCE };
    const found = await selectSavedPosts(ctx.database.reader, actor.user_id, range);
    seen.push(...(await seenOf(ctx, actor, found)));
    last = found.at(-1)?.id;
    if (found.length < LOOKED_AT_ONCE) break;
  }
  const page = seen.slice(0, limit).map(({ id }) => id);
  const end = seen.length > limit ? page.at(-1) : undefined;
  const stored = new Map(
    (await selectPosts(ctx.database.reader, page)).map((post) => [post.id, post]),
  );
  const posts = page.flatMap((id) => stored.get(id) ?? []);
  return {
    entries: await completePosts(ctx, actor, { posts, isList: true }),
    cursor: end === undefined ? undefined : await ctx.sealedCursors.write(list, end),
  };
}

/** Notes that the caller has read a post and its comments, and what notified them of these. Throws NotFoundError. */
export async function readPost(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  const { user_id: userId } = actor;
  await withPost(ctx, { actor, id }, async (tx, post) => {
    await setVisit(tx.sql, post, { userId, nowMs: ctx.clock.unixMs() });
    await deleteOldVisits(tx.sql, userId, MOST_VISITS);
    await readNotificationsOfPost(tx, ctx.users, { userId, postId: id });
  });
  return {};
}

/** Runs `work` with a post that the caller sees, in a transaction in which it stays. Throws NotFoundError. */
async function withPost(
  ctx: AccessContext,
  { actor, id }: { readonly actor: Account; readonly id: Id },
  work: (tx: EmittingTransaction, post: StoredPost) => Promise<void>,
): Promise<void> {
  const access = await accessToPost(ctx, actor, id);
  await ctx.database.transaction(async (tx) => {
    // What one person does at the same time waits here, and others do not wait for it.
    await holdUser(tx, actor.user_id);
    await accessStill(tx, ctx, { actor, access, requires: () => {} });
    const post = await holdPost(tx.sql, id);
    if (post === undefined) throw new NotFoundError();
    await work(tx, post);
  });
}

async function seenOf(
  ctx: Pick<Context, 'clock'> & KeepsCommunities & KeepsMembers,
  actor: Account,
  posts: readonly SavedPost[],
): Promise<readonly SavedPost[]> {
  const ids = [...new Set(posts.map(({ communityId }) => communityId))];
  const communities = await ctx.communities.all(ids);
  const members = new Map(
    await Promise.all(
      ids.map(async (id) => [id, await ctx.members.get(id, actor.user_id)] as const),
    ),
  );
  return posts.filter(({ communityId, channelId }) => {
    const community = communities.get(communityId);
    if (community === undefined) return false;
    const place = { community, member: members.get(communityId), channelId };
    return accessIn(ctx, actor, place) !== undefined;
  });
}
