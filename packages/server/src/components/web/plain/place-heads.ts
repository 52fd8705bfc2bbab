import { beginningOf } from '@hearth/markdown';
import { NotFoundError, WEB_PLACES, type Community, type Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { ANYONE } from '../../../actor.ts';
import { accessToChannel } from '../../../features/communities/access.ts';
import type { CommunityContext } from '../../../features/communities/community-context.ts';
import { findCommunityBySlug } from '../../../features/communities/find-community.ts';
import { findInvite } from '../../../features/community-invites/find-invite.ts';
import { findPost } from '../../../features/posts/find-post.ts';
import { findUserByName } from '../../../features/users/find-user.ts';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { HeadOf, Heads, PageHead, PlaceDocument } from '../page-head.ts';
import { PlainAddresses } from './addresses.ts';
import { Describing } from './describing.ts';
import type { FeedFormat } from './feed.ts';
import { feedOf, withoutFeed, type FeedPlace } from './feed-of.ts';
import { markdownText } from './markdown-text.ts';
import { coveredText, postHtml, postListHtml } from './post-html.ts';
import { PublicPosts, type PublicPost } from './read-public.ts';
import { postData } from './structured-data.ts';

/** A description is made of the beginning of a post. */
const MOST_DESCRIBED_CHARACTERS = 1_000;

/**
 * What everyone may read about communities, their posts, people and invites, for programs and for people without scripts.
 * Nothing that needs an account, or the access code, is said.
 */
export function placeHeads(ctx: CommunityContext): Heads {
  const describing = new Describing();
  const posts = new PublicPosts(ctx, describing);
  const finders: Readonly<Record<string, HeadOf>> = {
    [WEB_PLACES.community]: communityAt(ctx, posts),
    [WEB_PLACES.channel]: channelAt(ctx, posts),
    [WEB_PLACES.channelMessage]: messageAt(ctx),
    [WEB_PLACES.post]: postAt(ctx, posts),
    [WEB_PLACES.user]: userAt(ctx, posts),
    [WEB_PLACES.invite]: inviteAt(ctx),
  };
  return new Map(
    Object.entries(finders).map(([path, find]) => [path, describing.limited(find)] as const),
  );
}

function communityAt(ctx: CommunityContext, posts: PublicPosts): HeadOf {
  return async ({ slug = '' }, webUrl) => {
    const { name, format } = withoutFeed(slug);
    const community = await findCommunityBySlug(ctx, ANYONE, { slug: name });
    const to = new PlainAddresses(webUrl);
    const place = placeOf(community, to.community(community));
    if (format !== undefined) {
      return await feedAt(community, { place, format, to }, () =>
        posts.ofCommunity(community.id, 'new'),
      );
    }
    const head = headOf(community);
    if (community.kind === 'messages') return head;
    const list = await posts.ofCommunity(community.id, 'hot');
    return listHead(head, { community, place, to, list });
  };
}

function channelAt(ctx: CommunityContext, posts: PublicPosts): HeadOf {
  return async ({ slug = '', channel_id: part = '' }, webUrl) => {
    const { name: id, format } = withoutFeed(part);
    const community = await findCommunityBySlug(ctx, ANYONE, { slug });
    const channelId = idSchema.safeParse(id).data;
    const channel = channelId && (await postsChannel(ctx, community, channelId));
    if (channel === undefined || channelId === undefined) {
      return format === undefined ? headOf(community) : undefined;
    }
    const to = new PlainAddresses(webUrl);
    const { name, topic } = channel;
    const title = `${name} · ${community.name}`;
    const url = to.channel(community, channelId);
    const place = {
      ...placeOf(community, url),
      title,
      ...(topic !== '' && { description: topic }),
    };
    if (format !== undefined) {
      return await feedAt(community, { place, format, to }, () =>
        posts.ofChannel(channelId, 'new'),
      );
    }
    const list = await posts.ofChannel(channelId, 'hot');
    return listHead({ ...headOf(community), title }, { community, place, to, list });
  };
}

function messageAt(ctx: CommunityContext): HeadOf {
  return async ({ slug = '' }) => headOf(await findCommunityBySlug(ctx, ANYONE, { slug }));
}

function postAt(ctx: CommunityContext, posts: PublicPosts): HeadOf {
  return async ({ slug = '', post_id: given = '' }, webUrl) => {
    const id = idSchema.safeParse(given).data;
    if (id === undefined) return undefined;
    const post = await findPost(ctx, ANYONE, { id });
    const community = await findCommunityBySlug(ctx, ANYONE, { slug });
    if (post.community_id !== community.id) return undefined;
    const to = new PlainAddresses(webUrl);
    const url = to.post(community, post);
    const home = to.community(community);
    const { data, body } = await posts.shown(post, [webUrl, community.name], async (tree) => {
      const data = postData(post, { url, tree, to });
      // Each parses texts for some milliseconds.
      await letOthersRun();
      const body = postHtml(post, { community: community.name, communityUrl: home, tree, to });
      return { data, body };
    });
    const { name } = community;
    const isListed = community.visibility === 'public';
    const text = markdownText(beginningOf(coveredText(post), MOST_DESCRIBED_CHARACTERS));
    return {
      title: `${post.title} · ${name}`,
      description: text === '' ? (post.url ?? community.description) : text,
      picture: community.icon ?? community.banner,
      isListed: isListed && post.sensitive !== true,
      canonical: url,
      kind: 'article',
      ...(isListed && { feeds: to.feedsOf(home, name) }),
      data,
      body,
    };
  };
}

function userAt(ctx: CommunityContext, posts: PublicPosts): HeadOf {
  return async ({ username: part = '' }, webUrl) => {
    const { name: username, format } = withoutFeed(part);
    const user = await findUserByName(ctx, ANYONE, { username });
    const to = new PlainAddresses(webUrl);
    const title = user.display_name ?? user.username;
    const url = to.user(user.username);
    const place = { title, description: user.bio ?? '', url, createdAtMs: user.created_at };
    const list = await posts.ofUser(user.id);
    if (format !== undefined) return feedOf(list, place, { format, to });
    return {
      title,
      description: user.bio,
      picture: user.avatar,
      isListed: true,
      canonical: url,
      kind: 'profile',
      feeds: to.feedsOf(url, title),
      body: bodyOf(title, list, to),
    };
  };
}

function inviteAt(ctx: CommunityContext): HeadOf {
  return async ({ code = '' }) => {
    const { community } = await findInvite(ctx, ANYONE, { code });
    return { ...headOf({ ...community, visibility: 'private' }) };
  };
}

type Described = Pick<Community, 'name' | 'description' | 'icon' | 'banner' | 'visibility'>;

// One that was deleted is seen by its owner only, and a private one by its members.
function headOf({ name, description, icon, banner, visibility }: Described): PageHead {
  const isListed = visibility === 'public';
  return { title: name, description, picture: icon ?? banner, isListed };
}

function placeOf(
  { name, description = '', created_at: createdAtMs }: Community,
  url: string,
): FeedPlace {
  return { title: name, description, url, createdAtMs };
}

/** Unlisted communities have no feeds. */
async function feedAt(
  { visibility }: Community,
  {
    place,
    ...how
  }: { readonly place: FeedPlace; readonly format: FeedFormat; readonly to: PlainAddresses },
  read: () => Promise<readonly PublicPost[]>,
): Promise<PlaceDocument | undefined> {
  return visibility === 'public' ? feedOf(await read(), place, how) : undefined;
}

/** The head of a page that lists posts. */
function listHead(
  head: PageHead,
  {
    community,
    place: { title, url },
    to,
    list,
  }: {
    readonly community: Community;
    readonly place: FeedPlace;
    readonly to: PlainAddresses;
    readonly list: readonly PublicPost[];
  },
): PageHead {
  const isPublic = community.visibility === 'public';
  return {
    ...head,
    canonical: url,
    ...(isPublic && { feeds: to.feedsOf(url, title) }),
    body: bodyOf(title, list, to),
  };
}

function bodyOf(title: string, list: readonly PublicPost[], to: PlainAddresses): string {
  const links = list.map(({ post, community }) => [post, to.post(community, post)] as const);
  return postListHtml(title, links, to);
}

/** A channel with posts of a community, if visitors see it. */
async function postsChannel(ctx: CommunityContext, community: Community, id: Id) {
  try {
    const { channel } = await accessToChannel(ctx, ANYONE, id);
    const isThis = channel.communityId === community.id && channel.kind === 'posts';
    return isThis ? channel : undefined;
  } catch (error) {
    // Of one that visitors do not see, the page says as much as of one that there is not.
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
