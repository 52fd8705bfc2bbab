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

const writing = { tag, limit: 'write', auth: 'user', throws: ['ForbiddenError'] } as const;

const writingRoutes = [
  route({
    ...writing,
    method: 'POST',
    path: '/posts/:post_id/comments',
    name: 'createComment',
    summary: 'Comment on a post, or reply to a comment; the same nonce comments once in 10 minutes',
    params: postParams,
    body: newCommentSchema,
    maxBodyBytes: MOST_BODY_BYTES,
    answers: commentSchema,
    handle: createComment,
  }),
  route({
    ...writing,
    method: 'PATCH',
    path: '/comments/:id',
    name: 'changeComment',
    summary: 'Change the text of a comment that the caller wrote',
    params: idParams,
    body: commentChangeSchema,
    maxBodyBytes: MOST_BODY_BYTES,
    answers: commentSchema,
    handle: changeComment,
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: '/comments/:id',
    name: 'deleteComment',
    summary: 'Delete a comment that the caller wrote; moderators may delete others',
    params: idParams,
    answers: nothingSchema,
    handle: deleteComment,
  }),
  route({
    ...writing,
    method: 'PUT',
    path: '/posts/:id/accepted',
    name: 'acceptAnswer',
    tag: 'posts',
    summary: 'Accept a comment as the answer to a question, or none',
    params: idParams,
    body: acceptedSchema,
    answers: postSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: acceptAnswer,
  }),
];

/** Routes of the REST service about comments. */
export const commentRoutes = [...readingRoutes, ...writingRoutes];
