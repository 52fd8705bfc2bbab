import type { Id, Post } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import type { KeepsCommunities } from '../../communities/structure/structure.ts';
import { everyoneSees, type ChannelInCommunity } from '../places/places.ts';
import type { Mentions } from './stored-mentions.ts';

/** A post as it is shown where a text names it. */
export interface NamedPost {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly title: string;
}

/** Reads posts by their ids, in no order. Those that were deleted are left out. */
export type FindNamedPosts = (db: Reader, ids: readonly Id[]) => Promise<readonly NamedPost[]>;

export interface HasNamedPosts {
  readonly findNamedPosts: FindNamedPosts;
}

/** The context that it takes to find the posts that texts name, and who sees them. */
export interface NamingContext extends Pick<Context, 'database'>, HasNamedPosts, KeepsCommunities {}

/** The number of posts that a text mentions. */
const MOST_POSTS = 10;

const ADDRESS = /(https?:\/\/[^\s/()<>]+)?\/c\/[a-z0-9_.-]{2,32}\/p\/(\d{1,39})(?!\d)/g;

/** The posts whose addresses are in a text, and that everyone sees who sees the place. */
export async function postsNamed(
  ctx: NamingContext & Pick<Context, 'settings'>,
  place: ChannelInCommunity | undefined,
  content: string,
): Promise<readonly Id[]> {
  const ids = idsNamed(content, ctx.settings.publicUrl);
  if (ids.length === 0) return [];
  const posts = await ctx.findNamedPosts(ctx.database.reader, ids);
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
function idsNamed(content: string, webUrl: string | undefined): readonly Id[] {
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

/** A text that names posts from a place. */
export interface Naming {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly mentions: Mentions;
}

/** The posts that texts mention, by the ids of the texts; only those that everyone sees who sees the text. */
export async function mentionedPosts(
  ctx: NamingContext,
  texts: readonly Naming[],
): Promise<ReadonlyMap<Id, NonNullable<Post['mention_posts']>>> {
  const naming = texts.filter(({ mentions }) => mentions.posts !== undefined);
  if (naming.length === 0) return new Map();
  const found = await findNamed(ctx, naming, []);
  return new Map(
    naming.flatMap((text) => {
      const { mention_posts: posts } = found.mentioned(text);
      return posts === undefined ? [] : [[text.id, posts] as const];
    }),
  );
}

/** Posts that were looked up, and who sees them. */
export interface Found {
  placeOf(post: Pick<NamedPost, 'channelId' | 'communityId'>): ChannelInCommunity | undefined;
  /** The title of a post, if everyone sees it who sees the text. */
  titleFor(from: Naming, id: Id): string | undefined;
  mentioned(from: Naming): Pick<Post, 'mention_posts'>;
}

/** Looks up the posts that texts mention, and others. */
export async function findNamed(
  ctx: NamingContext,
  from: readonly Naming[],
  others: readonly Id[],
): Promise<Found> {
  const ids = new Set([...others, ...from.flatMap(({ mentions }) => mentions.posts ?? [])]);
  const posts = ids.size === 0 ? [] : await ctx.findNamedPosts(ctx.database.reader, [...ids]);
  const byId = new Map(posts.map((post) => [post.id, post]));
  const homes = new Set([...from, ...posts].map(({ communityId }) => communityId));
  const communities = await ctx.communities.all([...homes]);
  const placeOf: Found['placeOf'] = ({ channelId, communityId }) => {
    const community = communities.get(communityId);
    const channel = community?.channelById.get(channelId);
    return community && channel && { community, channel };
  };
  const titleFor = (text: Naming, id: Id) => {
    const named = byId.get(id);
    const [place, other] = [placeOf(text), named && placeOf(named)];
    return place && other && everyoneSees(place, other) ? named?.title : undefined;
  };
  const mentioned = (text: Naming) => {
    const seen = (text.mentions.posts ?? []).flatMap((id) => {
      const title = titleFor(text, id);
      return title === undefined ? [] : [{ id, title }];
    });
    return seen.length === 0 ? {} : { mention_posts: seen };
  };
  return { placeOf, titleFor, mentioned };
}
