import { idSchema } from '@hearth/protocol/schemas';
import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { ChannelAccess } from '../structure/access.ts';
import type { KeepsCommunities } from '../structure/known-communities.ts';
import { resolveMentions } from '../mentions/resolve-mentions.ts';
import { everyoneSees } from '../places/everyone-sees.ts';
import { selectNamedPosts } from './store.ts';
import type { PostMentions } from './stored-post.ts';

/** How many posts a text mentions. */
const MOST_POSTS = 10;

const ADDRESS = /(https?:\/\/[^\s/()<>]+)?\/c\/[a-z0-9_.-]{2,32}\/p\/(\d{1,39})(?!\d)/g;

/** Matches what a text has that mentions anything. */
const MENTIONING = /[@#]|\/p\//;

/** Whether a text may mention anything. */
export function mayMention(content: string): boolean {
  return MENTIONING.test(content);
}

/** Whom and what a post or comment mentions: as messages do, and posts. */
export async function resolvePostMentions(
  ctx: Context & KeepsCommunities,
  access: ChannelAccess,
  content: string,
): Promise<PostMentions> {
  const mentions = await resolveMentions(ctx, access, content);
  const posts = await postsNamed(ctx, access, content);
  return posts.length === 0 ? mentions : { ...mentions, posts };
}

/** The posts whose addresses are in a text, and that everyone sees who sees the channel. */
export async function postsNamed(
  ctx: Context & KeepsCommunities,
  place: Pick<ChannelAccess, 'community' | 'channel'>,
  content: string,
): Promise<readonly Id[]> {
  const ids = idsNamed(content, ctx.settings.publicUrl);
  if (ids.length === 0) return [];
  const posts = await selectNamedPosts(ctx.database.reader, ids);
  const homes = await ctx.communities.all([...new Set(posts.map((post) => post.communityId))]);
  const seen = new Set(
    posts.flatMap(({ id, communityId, channelId }) => {
      const community = homes.get(communityId);
      const channel = community?.channelById.get(channelId);
      if (community === undefined || channel === undefined) return [];
      return everyoneSees(place, { community, channel }) ? [id] : [];
    }),
  );
  return ids.filter((id) => seen.has(id));
}

/** The ids of posts in addresses of this instance, each once. */
export function idsNamed(content: string, webUrl: string | undefined): readonly Id[] {
  if (!content.includes('/p/')) return [];
  const own = webUrl === undefined ? undefined : URL.parse(webUrl)?.origin;
  const ids = new Set<Id>();
  for (const [, origin, digits] of content.matchAll(ADDRESS)) {
    if (origin !== undefined && origin !== own) continue;
    const { data } = idSchema.safeParse(digits);
    if (data !== undefined) ids.add(data);
    if (ids.size === MOST_POSTS) break;
  }
  return [...ids];
}
