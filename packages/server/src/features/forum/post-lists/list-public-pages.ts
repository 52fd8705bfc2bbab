import { sightOf, type Id } from '@hearth/protocol';
import { ANYONE } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { KeepsCommunities } from '../../communities/structure/structure.ts';
import { listCommunities } from '../../communities/communities/communities.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { selectNewestPosts } from './store.ts';

/** The number of communities, and of posts, that are listed; and of posts that are read for that. */
const MOST_LISTED = 10_000;
const MOST_READ = 20_000;

/** The number of communities that are read at once. */
const COMMUNITIES_AT_ONCE = 100;
const POSTS_AT_ONCE = 1_000;

/** A page that search engines may list, and when it changed. */
export interface PublicPage {
  readonly communityId: Id;
  readonly slug: string;
  readonly atMs: number;
}

/** The page of a post. */
export interface PublicPostPage extends PublicPage {
  readonly id: Id;
  readonly title: string;
}

/** The pages that search engines may list of an instance. */
export interface PublicPages {
  readonly communities: readonly PublicPage[];
  readonly posts: readonly PublicPostPage[];
}

/**
 * Public communities and their newest posts, without sensitive ones. Throws UnauthorizedError or ForbiddenError if visitors
 * may not read.
 */
export async function listPublicPages(ctx: Context & KeepsCommunities): Promise<PublicPages> {
  await requireReader(ctx, ANYONE);
  const communities: PublicPage[] = [];
  for (let cursor: string | undefined; communities.length < MOST_LISTED;) {
    const query = { sort: 'new', cursor, limit: COMMUNITIES_AT_ONCE } as const;
    const page = await listCommunities(ctx, ANYONE, query);
    for (const { id: communityId, slug, created_at: atMs } of page.entries) {
      communities.push({ communityId, slug, atMs });
    }
    if (page.cursor === undefined) break;
    cursor = page.cursor;
    await letOthersRun();
  }
  return { communities, posts: await newestPosts(ctx) };
}

async function newestPosts(ctx: Context & KeepsCommunities): Promise<readonly PublicPostPage[]> {
  const posts: PublicPostPage[] = [];
  let before: Id | undefined;
  for (let read = 0; read < MOST_READ && posts.length < MOST_LISTED; read += POSTS_AT_ONCE) {
    const found = await selectNewestPosts(ctx.database.reader, { before, limit: POSTS_AT_ONCE });
    const communities = await ctx.communities.all(found.map(({ communityId }) => communityId));
    for (const { id, channelId, communityId, title, changedAtMs: atMs } of found) {
      const community = communities.get(communityId);
      const channel = community?.channelById.get(channelId);
      if (community === undefined || channel === undefined || channel.isRestricted) continue;
      if (!sightOf(community, undefined).finds) continue;
      posts.push({ id, communityId, title, slug: community.stored.slug, atMs });
    }
    before = found.at(-1)?.id;
    if (found.length < POSTS_AT_ONCE) break;
    await letOthersRun();
  }
  return posts.slice(0, MOST_LISTED);
}
