import {
  acceptedSchema,
  commentChangeSchema,
  commentListSchema,
  commentQuerySchema,
  commentSchema,
  contextQuerySchema,
  idSchema,
  newCommentSchema,
  nothingSchema,
  postSchema,
  userPostQuerySchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import { ADDS_LINK, pagedAnswer } from '../../../http/paged-answer.ts';
import { idParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import type { PostsContext } from '../posts/posts.ts';
import { acceptAnswer } from './accept-answer.ts';
import { changeComment } from './change-comment.ts';
import { createComment } from './create-comment.ts';
import { deleteComment } from './delete-comment.ts';
import { findComment } from './find-comment.ts';
import { listComments, type CommentsContext } from './list-comments.ts';
import { listUserComments } from './list-user-comments.ts';

const tag = 'comments';

const postParams = z.object({ post_id: idSchema });
const userParams = z.object({ user_id: idSchema });

/** More bytes than the longest comment takes as JSON. */
const MOST_BODY_BYTES = 128 * 1024;

const readingRoutes = [
  route({
    method: 'GET',
    path: '/posts/:post_id/comments',
    name: 'listComments',
    tag,
    summary: 'List a part of the tree of the comments on a post, each before its replies',
    limit: 'list',
    auth: 'optional',
    params: postParams,
    query: commentQuerySchema,
    answers: commentListSchema,
    addsHeaders: ADDS_LINK,
    throws: ['ForbiddenError'],
    async handle(ctx: CommentsContext, actor, input) {
      const { sort, depth, under, limit } = input;
      return pagedAnswer(await listComments(ctx, actor, input), { sort, depth, under, limit });
    },
  }),
  route({
    method: 'GET',
    path: '/comments/:id',
    name: 'findComment',
    tag,
    summary: 'Read a comment, after some of those above it',
    limit: 'read',
    auth: 'optional',
    params: idParams,
    query: contextQuerySchema,
    answers: commentListSchema,
    throws: ['ForbiddenError'],
    handle: findComment,
  }),
  route({
    method: 'GET',
    path: '/users/:user_id/comments',
    name: 'listUserComments',
    tag,
    summary: 'List the comments of a person that the caller may see, the newest first',
    limit: 'list',
    auth: 'optional',
    params: userParams,
    query: userPostQuerySchema,
    answers: commentListSchema,
    addsHeaders: ADDS_LINK,
    throws: ['ForbiddenError'],
    async handle(ctx: PostsContext & KeepsSealedCursors, actor, input) {
      return pagedAnswer(await listUserComments(ctx, actor, input), { limit: input.limit });
    },
  }),
];

const writingRoutes = [
  route({
    method: 'POST',
    path: '/posts/:post_id/comments',
    name: 'createComment',
    tag,
    summary: 'Comment on a post, or reply to a comment; the same nonce comments once in 10 minutes',
    limit: 'write',
    auth: 'user',
    params: postParams,
    body: newCommentSchema,
    maxBodyBytes: MOST_BODY_BYTES,
    answers: commentSchema,
    throws: ['ForbiddenError'],
    handle: createComment,
  }),
  route({
    method: 'PATCH',
    path: '/comments/:id',
    name: 'changeComment',
    tag,
    summary: 'Change the text of a comment that the caller wrote',
    limit: 'write',
    auth: 'user',
    params: idParams,
    body: commentChangeSchema,
    maxBodyBytes: MOST_BODY_BYTES,
    answers: commentSchema,
    throws: ['ForbiddenError'],
    handle: changeComment,
  }),
  route({
    method: 'DELETE',
    path: '/comments/:id',
    name: 'deleteComment',
    tag,
    summary: 'Delete a comment that the caller wrote; moderators may delete others',
    limit: 'write',
    auth: 'user',
    params: idParams,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: deleteComment,
  }),
  route({
    method: 'PUT',
    path: '/posts/:id/accepted',
    name: 'acceptAnswer',
    tag: 'posts',
    summary: 'Accept a comment as the answer to a question, or none',
    limit: 'write',
    auth: 'user',
    params: idParams,
    body: acceptedSchema,
    answers: postSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: acceptAnswer,
  }),
];

/** Routes of the REST service about comments. */
export const commentRoutes = [...readingRoutes, ...writingRoutes];
