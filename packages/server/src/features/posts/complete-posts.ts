import type { Id, Post } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findPreviews } from '../link-previews/find-previews.ts';
import { filesIn } from '../messages/files.ts';
import { describePost, peopleInPosts, type NamedInPosts } from './describe-post.ts';
import { linksOf } from './post-links.ts';
import { POST_PARTS } from './post-parts.ts';
import type { StoredPost } from './stored-post.ts';

/** Posts with everything that they name, and with what concerns the caller; in a list, only the beginning of what is long. */
export async function completePosts(
  ctx: CommunityContext,
  actor: Actor,
  { posts, isList }: { readonly posts: readonly StoredPost[]; readonly isList: boolean },
): Promise<readonly Post[]> {
  if (posts.length === 0) return [];
  const named = { ...(await namedInPosts(ctx, posts)), isList };
  const parts = await Promise.all(POST_PARTS.map((part) => part(ctx, actor, posts)));
  return posts.map((post) => {
    const described = describePost(post, named);
    for (const part of parts) Object.assign(described, part(post));
    return described;
  });
}

/** What is known about everything that posts name. */
export async function namedInPosts(
  ctx: CommunityContext,
  posts: readonly StoredPost[],
): Promise<NamedInPosts> {
  const communities = await ctx.communities.all([
    ...new Set(posts.map(({ communityId }) => communityId)),
  ]);
  const homes = new Map(posts.map(({ channelId, communityId }) => [channelId, communityId]));
  const settings = (channelId: Id) => {
    const home = homes.get(channelId);
    const community = home && communities.get(home);
    return community?.channelById.get(channelId)?.postSettings ?? {};
  };
  return {
    users: await ctx.users.all(peopleInPosts(posts)),
    files: await filesIn(ctx, posts),
    links: await linksOf(ctx, posts),
    embeds: await embedsOf(ctx, posts),
    settings,
    nowMs: ctx.clock.unixMs(),
  };
}

function embedsOf(ctx: CommunityContext, posts: readonly StoredPost[]) {
  const ids = posts.flatMap(({ id, url }) => (url === '' ? [] : [id]));
  return findPreviews(ctx, 'post', ids);
}
