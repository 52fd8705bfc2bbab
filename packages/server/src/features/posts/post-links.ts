import type { Id, Post } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { KeepsCommunities } from '../structure/known-communities.ts';
import type { Links } from './describe-post.ts';
import { everyoneSees, type Place } from '../places/everyone-sees.ts';
import { selectNamedPosts } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** What names other posts from a place. */
export type Naming = Pick<StoredPost, 'id' | 'channelId' | 'communityId' | 'mentions'>;

/** What posts link to, by their ids; only what everyone sees who sees the post. */
export async function linksOf(
  ctx: Pick<Context, 'database'> & KeepsCommunities,
  posts: readonly StoredPost[],
): Promise<ReadonlyMap<Id, Links>> {
  const linking = posts.filter(
    ({ fromMessageId, crosspostOf, mentions }) =>
      fromMessageId !== '' || crosspostOf !== '' || mentions.posts !== undefined,
  );
  if (linking.length === 0) return new Map();
  const named = linking.flatMap(({ crosspostOf }) => (crosspostOf === '' ? [] : [crosspostOf]));
  const found = await findNamed(ctx, linking, named);
  return new Map(
    linking.map((post): [Id, Links] => {
      const { fromChannelId, fromMessageId, crosspostOf } = post;
      const links: Links = found.mentioned(post);
      const place = found.placeOf(post);
      const channel = fromChannelId && place?.community.channelById.get(fromChannelId);
      if (place && channel && fromMessageId !== '') {
        const other = { community: place.community, channel };
        if (everyoneSees(place, other)) {
          links.from_message = { channel_id: fromChannelId, id: fromMessageId };
        }
      }
      if (crosspostOf !== '' && found.titleFor(post, crosspostOf) !== undefined) {
        links.crosspost_of = crosspostOf;
      }
      return [post.id, links];
    }),
  );
}

/** The posts that texts mention, by the ids of the texts; only those that everyone sees who sees the text. */
export async function mentionedPosts(
  ctx: Pick<Context, 'database'> & KeepsCommunities,
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
  placeOf(post: Pick<StoredPost, 'channelId' | 'communityId'>): Place | undefined;
  /** The title of a post, if everyone sees it who sees the text. */
  titleFor(from: Naming, id: Id): string | undefined;
  mentioned(from: Naming): Pick<Links, 'mention_posts'>;
}

/** Looks up the posts that texts mention, and others. */
export async function findNamed(
  ctx: Pick<Context, 'database'> & KeepsCommunities,
  from: readonly Naming[],
  others: readonly Id[],
): Promise<Found> {
  const ids = new Set([...others, ...from.flatMap(({ mentions }) => mentions.posts ?? [])]);
  const posts = ids.size === 0 ? [] : await selectNamedPosts(ctx.database.reader, [...ids]);
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
