import { NotFoundError, type Post, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { findPreviews } from '../../files/link-previews/link-previews.ts';
import { filesIn } from '../../talk/messages/messages.ts';
import { describePolls } from '../polls/polls.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import { describePost, peopleInPosts, type NamedInPosts } from './describe-post.ts';
import { linksOf } from './post-links.ts';
import type { PostsContext } from './posts-context.ts';
import type { StoredPost } from './stored-post.ts';
import { selectMarks } from './visit-store.ts';
import { accessToPost } from './post-access.ts';

/** Posts with everything that they name, and with what concerns the caller; in a list, only the beginning of what is long. */
export async function completePosts(
  ctx: PostsContext,
  actor: Actor,
  { posts, isList }: { readonly posts: readonly StoredPost[]; readonly isList: boolean },
): Promise<readonly Post[]> {
  if (posts.length === 0) return [];
  const named = { ...(await namedInPosts(ctx, posts)), isList };
  const marksOf = await describeMarks(ctx, actor, posts);
  return posts.map((post) => {
    const described = describePost(post, named);
    const marks = marksOf(post);
    return marks === undefined ? described : Object.assign(described, marks);
  });
}

/** Finds everything that posts name. */
export async function namedInPosts(
  ctx: PostsContext,
  posts: readonly StoredPost[],
): Promise<NamedInPosts> {
  const communities = await ctx.communities.all(posts.map(({ communityId }) => communityId));
  const settings: NamedInPosts['settings'] = ({ channelId, communityId }) =>
    communities.get(communityId)?.channelById.get(channelId)?.postSettings ?? {};
  const linking = posts.flatMap(({ id, url }) => (url === '' ? [] : [id]));
  return {
    users: await ctx.users.all(peopleInPosts(posts)),
    files: await filesIn(ctx, posts),
    links: await linksOf(ctx, posts),
    embeds: await findPreviews(ctx, 'post', linking),
    settings,
    nowMs: ctx.clock.unixMs(),
  };
}

/**
 * Finds what posts have besides their rows: how the caller votes for them, whether they saved them, how many comments
 * were written since they were there, and polls.
 */
async function describeMarks(
  ctx: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  posts: readonly StoredPost[],
): Promise<(post: StoredPost) => Partial<Post> | undefined> {
  const ids = posts.map(({ id }) => id);
  const userId = actor.kind === 'account' ? actor.user_id : undefined;
  const marks = await selectMarks(ctx.database.reader, userId, ids);
  const withPoll = ids.filter((id) => marks.get(id)?.hasPoll === true);
  const polls = await describePolls(ctx, actor, withPoll);
  return ({ id, commentNumber }) => {
    const own = marks.get(id);
    if (own === undefined) return undefined;
    const { isSaved, seenNumber, vote } = own;
    const poll = polls.get(id);
    return {
      ...(isSaved === true && { saved: true as const }),
      ...(seenNumber !== undefined && { new_comments: Math.max(0, commentNumber - seenNumber) }),
      ...(vote !== undefined && { my_vote: vote }),
      ...(poll !== undefined && { poll }),
    };
  };
}

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
