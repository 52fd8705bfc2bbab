import { postListSchema, postQuerySchema, userPostQuerySchema } from '@hearth/protocol/schemas';
import { ADDS_LINK, pagedAnswer } from '../../../http/paged-answer.ts';
import { channelParams, communityParams, idParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import type { PostsContext } from '../posts/posts.ts';
import { listChannelPosts, listCommunityPosts, listFeed } from './list-posts.ts';
import { listUserPosts } from './list-user-posts.ts';
import type { KeepsPostOrders } from './post-orders.ts';

const reading = {
  method: 'GET',
  tag: 'posts',
  limit: 'list',
  answers: postListSchema,
  addsHeaders: ADDS_LINK,
} as const;

/** Routes of the REST service about lists of posts. */
export const postListRoutes = [
  route({
    ...reading,
    path: '/channels/:channel_id/posts',
    name: 'listChannelPosts',
    summary: 'List posts of a channel, those that are pinned first',
    auth: 'optional',
    params: channelParams,
    query: postQuerySchema,
    throws: ['ForbiddenError'],
    async handle(ctx: AccessContext & KeepsPostOrders & PostsContext, actor, input) {
      const { cursor: _cursor, channel_id: _id, ...query } = input;
      return pagedAnswer(await listChannelPosts(ctx, actor, input), query);
    },
  }),
  route({
    ...reading,
    path: '/communities/:community_id/posts',
    name: 'listCommunityPosts',
    summary: 'List posts of all channels of a community',
    auth: 'optional',
    params: communityParams,
    query: postQuerySchema,
    throws: ['ForbiddenError'],
    async handle(ctx: AccessContext & KeepsPostOrders & PostsContext, actor, input) {
      const { cursor: _cursor, community_id: _id, ...query } = input;
      return pagedAnswer(await listCommunityPosts(ctx, actor, input), query);
    },
  }),
  route({
    ...reading,
    path: '/feed',
    name: 'listFeed',
    summary: 'List posts of your communities',
    auth: 'user',
    query: postQuerySchema,
    throws: ['ForbiddenError'],
    async handle(ctx: PostsContext & KeepsPostOrders, actor, input) {
      const { cursor: _cursor, ...query } = input;
      return pagedAnswer(await listFeed(ctx, actor, input), query);
    },
  }),
  route({
    ...reading,
    path: '/users/:id/posts',
    name: 'listUserPosts',
    summary: 'List posts that somebody has written, the newest first',
    auth: 'optional',
    params: idParams,
    query: userPostQuerySchema,
    throws: ['ForbiddenError'],
    async handle(ctx: PostsContext & KeepsSealedCursors, actor, input) {
      return pagedAnswer(await listUserPosts(ctx, actor, input), { limit: input.limit });
    },
  }),
];
