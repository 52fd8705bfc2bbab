import { sightOf, type Id, type Post, type PostQuery } from '@hearth/protocol';
import type { Actor, Account } from '../../../actor.ts';
import type { Page } from '../../../page.ts';
import { seenChannels } from '../../communities/channels/channels.ts';
import {
  accessOf,
  accessTo,
  accessToChannel,
  readMemberships,
  type AccessContext,
  type KnownChannel,
} from '../../communities/structure/structure.ts';
import { completePosts, requirePosts, type PostsContext } from '../posts/posts.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { pageOfPosts, type PostList } from './post-list.ts';
import type { KeepsPostOrders } from './post-orders.ts';

/**
 * The posts of a channel, those that are pinned first. Throws NotFoundError if the caller may not know that the channel
 * exists, and ValidationError if it holds no posts, or for `cursor`.
 */
export async function listChannelPosts(
  ctx: AccessContext & KeepsPostOrders & PostsContext,
  actor: Actor,
  { channel_id: id, ...query }: PostQuery & { readonly channel_id: Id },
): Promise<Page<Post>> {
  const access = await accessToChannel(ctx, actor, id);
  requirePosts(access);
  const channels = new Map([[id, access.channel]]);
  return await described(ctx, actor, { list: { place: `c:${id}`, channels, pinsOf: id }, query });
}

/** The posts of all channels of a community that the caller sees. Throws NotFoundError, and ValidationError for `cursor`. */
export async function listCommunityPosts(
  ctx: AccessContext & KeepsPostOrders & PostsContext,
  actor: Actor,
  { community_id: id, ...query }: PostQuery & { readonly community_id: Id },
): Promise<Page<Post>> {
  const channels = seenChannels(await accessTo(ctx, actor, id), 'posts');
  return await described(ctx, actor, { list: { place: `m:${id}`, channels }, query });
}

/** The posts of all communities of the caller. Throws ValidationError for `cursor`. */
export async function listFeed(
  ctx: PostsContext & KeepsPostOrders,
  actor: Account,
  query: PostQuery,
): Promise<Page<Post>> {
  await requireReader(ctx, actor);
  const members = await readMemberships(ctx.database.reader, actor.user_id);
  const communities = await ctx.communities.all(members.map(({ communityId }) => communityId));
  const channels = new Map<Id, KnownChannel>();
  for (const member of members) {
    const community = communities.get(member.communityId);
    if (community === undefined || !sightOf(community, member.userId).follows) continue;
    const seen = seenChannels(accessOf(ctx, actor, { community, member }), 'posts');
    for (const [id, channel] of seen) channels.set(id, channel);
  }
  return await described(ctx, actor, { list: { place: 'feed', channels }, query });
}

async function described(
  ctx: PostsContext & KeepsPostOrders,
  actor: Actor,
  { list, query }: { readonly list: PostList; readonly query: PostQuery },
): Promise<Page<Post>> {
  const { posts, cursor } = await pageOfPosts(ctx, list, query);
  return { entries: await completePosts(ctx, actor, { posts, isList: true }), cursor };
}
