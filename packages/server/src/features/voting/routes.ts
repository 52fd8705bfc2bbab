import {
  reactedQuerySchema,
  votedSchema,
  voteInputSchema,
  voteListSchema,
} from '@hearth/protocol/schemas';
import { idParams } from '../../http/params.ts';
import { route } from '../../http/route.ts';
import { voteComment, votePost } from './cast-vote.ts';
import { listCommentVotes, listPostVotes } from './list-votes.ts';

const voting = {
  method: 'PUT',
  tag: 'votes',
  limit: 'vote',
  auth: 'user',
  params: idParams,
  body: voteInputSchema,
  answers: votedSchema,
  throws: ['ForbiddenError'],
} as const;

const listing = {
  method: 'GET',
  tag: 'votes',
  limit: 'list',
  auth: 'user',
  params: idParams,
  query: reactedQuerySchema,
  answers: voteListSchema,
  throws: ['ForbiddenError'],
} as const;

/** Routes of the REST service about votes. */
export const voteRoutes = [
  route({
    ...voting,
    path: '/posts/:id/vote',
    name: 'votePost',
    summary: 'Vote for a post, or take the vote back',
    handle: votePost,
  }),
  route({
    ...voting,
    path: '/comments/:id/vote',
    name: 'voteComment',
    summary: 'Vote for a comment, or take the vote back',
    handle: voteComment,
  }),
  route({
    ...listing,
    path: '/posts/:id/votes',
    name: 'listPostVotes',
    summary: 'List who voted for a post, the newest account first; for moderators',
    handle: listPostVotes,
  }),
  route({
    ...listing,
    path: '/comments/:id/votes',
    name: 'listCommentVotes',
    summary: 'List who voted for a comment, the newest account first; for moderators',
    handle: listCommentVotes,
  }),
];
