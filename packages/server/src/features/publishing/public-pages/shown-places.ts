import {
  NotFoundError,
  personName,
  sightOf,
  WEB_PLACES,
  type Community,
  type Id,
} from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { ANYONE } from '../../../actor.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import type { CommentsContext } from '../../forum/comments/comments.ts';
import { accessToChannel, type AccessContext } from '../../communities/structure/structure.ts';
import { findCommunityBySlug } from '../../communities/communities/communities.ts';
import { findInvite } from '../../communities/community-invites/community-invites.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import type { KeepsPostOrders } from '../../forum/post-lists/post-lists.ts';
import { findPost, type PostsContext } from '../../forum/posts/posts.ts';
import { findUserByName } from '../../accounts/users/users.ts';
import type { PageHead } from './page-head.ts';
import { plainPaths } from './addresses.ts';
import { feedOf, withoutFeed, type FeedPlace } from './feed-of.ts';
import { coveredText, postHtml, postListHtml } from './post-html.ts';
import {
  commentsOn,
  postsOfChannel,
  postsOfCommunity,
  postsOfUser,
  publicPost,
  type ListedPost,
} from './read-public.ts';
import { RenderedTexts } from './rendered-texts.ts';
import type { FindShown, Shown, ShownPlaces } from './shown.ts';
import { postData } from './structured-data.ts';

/** A description is made of the beginning of a post. */
const MOST_DESCRIBED_CHARACTERS = 1_000;

/**
 * Returns what everyone may read about communities, their posts, people and invites, for programs and for people
 * without scripts. Nothing that needs an account, or the access code, is said.
 */
export function shownPlaces(ctx: CommentsContext & KeepsSealedCursors): ShownPlaces {
  const texts = new RenderedTexts();
  return new Map([
    [WEB_PLACES.community, communityAt(ctx, texts)],
    [WEB_PLACES.channel, channelAt(ctx, texts)],
    [WEB_PLACES.channelMessage, messageAt(ctx)],
    [WEB_PLACES.post, postAt(ctx, texts)],
    [WEB_PLACES.user, userAt(ctx, texts)],
    [WEB_PLACES.invite, inviteAt(ctx)],
  ]);
}

function communityAt(
  ctx: AccessContext & KeepsPostOrders & PostsContext,
  texts: RenderedTexts,
): FindShown {
  return async ({ slug = '' }) => {
    const { name, format } = withoutFeed(slug);
    const community = await findCommunityBySlug(ctx, ANYONE, { slug: name });
    const place = placeOf(community, plainPaths.community(community));
    const head = headOf(community);
    if (format !== undefined) {
      if (!head.isListed) return undefined;
      return feedOf(await postsOfCommunity(ctx, community, 'new'), place, { format, texts });
    }
    if (community.kind === 'messages') return headAlone(head);
    const list = await postsOfCommunity(ctx, community, 'hot');
    return listOf(list, { place, head, hasFeeds: head.isListed });
  };
}

function channelAt(
  ctx: AccessContext & KeepsPostOrders & PostsContext,
  texts: RenderedTexts,
): FindShown {
  return async ({ slug = '', channel_id: part = '' }) => {
    const { name: id, format } = withoutFeed(part);
    const community = await findCommunityBySlug(ctx, ANYONE, { slug });
    const channelId = idSchema.safeParse(id).data;
    const channel = channelId && (await postsChannel(ctx, community, channelId));
    if (channel === undefined || channelId === undefined) {
      return format === undefined ? headAlone(headOf(community)) : undefined;
    }
    const { name, topic } = channel;
    const title = `${name} · ${community.name}`;
    const place = {
      ...placeOf(community, plainPaths.channel(community, channelId)),
      id: channelId,
      title,
      ...(topic !== '' && { description: topic }),
    };
    const in_ = { id: channelId, slug: community.slug };
    const head = { ...headOf(community), title };
    if (format !== undefined) {
      if (!head.isListed) return undefined;
      return feedOf(await postsOfChannel(ctx, in_, 'new'), place, { format, texts });
    }
    const list = await postsOfChannel(ctx, in_, 'hot');
    return listOf(list, { place, head, hasFeeds: head.isListed });
  };
}

function messageAt(ctx: AccessContext): FindShown {
  return async ({ slug = '' }) =>
    headAlone(headOf(await findCommunityBySlug(ctx, ANYONE, { slug })));
}

function postAt(ctx: CommentsContext, texts: RenderedTexts): FindShown {
  return async ({ slug = '', post_id: given = '' }) => {
    const id = idSchema.safeParse(given).data;
    if (id === undefined) return undefined;
    const found = await findPost(ctx, ANYONE, { id });
    const community = await findCommunityBySlug(ctx, ANYONE, { slug });
    if (found.community_id !== community.id) return undefined;
    const post = publicPost(found);
    const tree = await commentsOn(ctx, post);
    const path = plainPaths.post(community, post);
    const home = plainPaths.community(community);
    const around = headOf(community);
    return {
      of: ['post', { path, home, around, post, tree }],
      async render(to) {
        const [url, communityUrl] = [to.at(path), to.at(home)];
        const data = await postData(post, { url, tree, to, texts });
        const named = { community: around.title, communityUrl };
        const body = await postHtml(post, { ...named, tree, to, texts });
        const text = await texts.words(coveredText(post), MOST_DESCRIBED_CHARACTERS);
        return {
          title: `${post.title} · ${around.title}`,
          description: text === '' ? (post.url ?? around.description) : text,
          picture: around.picture,
          isListed: around.isListed && post.sensitive !== true,
          canonical: url,
          kind: 'article',
          ...(around.isListed && { feeds: to.feedsOf(communityUrl, around.title) }),
          data,
          body,
        };
      },
    };
  };
}

function userAt(ctx: PostsContext & KeepsSealedCursors, texts: RenderedTexts): FindShown {
  return async ({ username: part = '' }) => {
    const { name: username, format } = withoutFeed(part);
    const user = await findUserByName(ctx, ANYONE, { username });
    const title = personName(user);
    const path = plainPaths.user(user.username);
    const { id, bio: description = '', created_at: createdAtMs = 0 } = user;
    const place = { id, title, description, path, createdAtMs };
    const list = await postsOfUser(ctx, user.id);
    if (format !== undefined) return feedOf(list, place, { format, texts });
    const head = {
      title,
      description: user.bio,
      picture: user.avatar,
      isListed: true,
      kind: 'profile',
    } as const;
    return listOf(list, { place, head, hasFeeds: true });
  };
}

function inviteAt(ctx: AccessContext & KeepsUsers): FindShown {
  return async ({ code = '' }) => {
    const { community } = await findInvite(ctx, ANYONE, { code });
    const cover = coverOf(community ?? { name: ctx.settings.instanceName });
    return headAlone({ ...cover, isListed: false });
  };
}

/** A page that says what it is about, and shows nothing without a script. */
function headAlone(head: PageHead): Shown {
  return { of: ['head', head], render: async () => head };
}

/** A page that lists posts. */
function listOf(
  list: readonly ListedPost[],
  {
    place: { title, path },
    head,
    hasFeeds,
  }: { readonly place: FeedPlace; readonly head: PageHead; readonly hasFeeds: boolean },
): Shown {
  return {
    of: ['list', { title, path, head, hasFeeds, list }],
    async render(to) {
      const url = to.at(path);
      return {
        ...head,
        canonical: url,
        ...(hasFeeds && { feeds: to.feedsOf(url, title) }),
        body: postListHtml(title, list, to),
      };
    },
  };
}

// One that was deleted is seen by its owner only, and a private one by its members.
function headOf(community: Community): PageHead {
  const { owner_id, visibility } = community;
  const { finds } = sightOf({ owner_id, visibility, is_deleted: false }, undefined);
  return { ...coverOf(community), isListed: finds };
}

function coverOf({
  name,
  description,
  icon,
  banner,
}: Pick<Community, 'name' | 'description' | 'icon' | 'banner'>): Omit<PageHead, 'isListed'> {
  return { title: name, description, picture: icon ?? banner };
}

function placeOf(
  { id, name, description = '', created_at: createdAtMs }: Community,
  path: string,
): FeedPlace {
  return { id, title: name, description, path, createdAtMs };
}

/** A channel with posts of a community, if visitors see it. */
async function postsChannel(ctx: AccessContext, community: Community, id: Id) {
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
