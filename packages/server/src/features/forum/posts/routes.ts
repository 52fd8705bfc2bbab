import {
  crosspostSchema,
  newPostSchema,
  nothingSchema,
  postChangeSchema,
  postListSchema,
  postSchema,
  userPostQuerySchema,
} from '@hearth/protocol/schemas';
import { ADDS_LINK, pagedAnswer } from '../../../http/paged-answer.ts';
import { channelParams, idParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import type { KeepsMembers } from '../../communities/structure/structure.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { crosspost } from './crosspost.ts';
import { deletePost } from './delete-post.ts';
import { findPost } from './complete-posts.ts';
import type { PostsContext } from './posts-context.ts';
import { listSaved, readPost, savePost, unsavePost } from './save-post.ts';

const tag = 'posts';

/** Bytes of the longest post as JSON, even if every character is escaped. */
const MOST_POST_BYTES = 640 * 1_024;

const writing = { tag, limit: 'write', auth: 'user', params: idParams } as const;

/** Routes of the REST service about single posts. */
export const postRoutes = [
  route({
    method: 'POST',
    path: '/channels/:channel_id/posts',
    name: 'createPost',
    tag,
    summary: 'Post to a channel with posts; the same nonce posts once in 10 minutes',
    limit: 'message_send',
    auth: 'user',
    params: channelParams,
    body: newPostSchema,
    maxBodyBytes: MOST_POST_BYTES,
    answers: postSchema,
    throws: ['ForbiddenError', 'ConflictError', 'RateLimitedError'],
    handle: createPost,
  }),
  route({
    method: 'GET',
    path: '/posts/:id',
    name: 'findPost',
    tag,
    summary: 'Read a post',
    limit: 'read',
    auth: 'optional',
    params: idParams,
    answers: postSchema,
    throws: ['ForbiddenError'],
    handle: findPost,
  }),
  route({
    ...writing,
    method: 'PATCH',
    path: '/posts/:id',
    name: 'changePost',
    summary: 'Change a post; moderators may mark, lock and pin those of others',
    body: postChangeSchema,
    maxBodyBytes: MOST_POST_BYTES,
    answers: postSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: changePost,
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: '/posts/:id',
    name: 'deletePost',
    summary: 'Delete a post that the caller wrote; moderators may delete others',
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: deletePost,
  }),
  route({
    method: 'POST',
    path: '/posts/:id/crosspost',
    name: 'crosspost',
    tag,
    summary: 'Post the title and the address of a post to another channel',
    limit: 'message_send',
    auth: 'user',
    params: idParams,
    body: crosspostSchema,
    answers: postSchema,
    throws: ['ForbiddenError', 'RateLimitedError'],
    handle: crosspost,
  }),
  route({
    ...writing,
    method: 'PUT',
    path: '/posts/:id/save',
    name: 'savePost',
    summary: 'Save a post',
    answers: nothingSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: savePost,
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: '/posts/:id/save',
    name: 'unsavePost',
    summary: 'Remove a post from those that the caller has saved',
    answers: nothingSchema,
    handle: unsavePost,
  }),
  route({
    ...writing,
    method: 'PUT',
    path: '/posts/:id/read',
    name: 'readPost',
    summary: 'Mark the comments of a post as read',
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: readPost,
  }),
  route({
    method: 'GET',
    path: '/users/me/saved',
    name: 'listSaved',
    tag,
    summary: 'List the posts that the caller has saved, the newest post first',
    limit: 'list',
    auth: 'user',
    query: userPostQuerySchema,
    answers: postListSchema,
    addsHeaders: ADDS_LINK,
    throws: ['ForbiddenError'],
    async handle(ctx: PostsContext & KeepsSealedCursors & KeepsMembers, actor, input) {
      return pagedAnswer(await listSaved(ctx, actor, input), { limit: input.limit });
    },
  }),
];
