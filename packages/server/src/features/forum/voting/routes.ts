import {
  pollSchema,
  pollVoteSchema,
  reactedQuerySchema,
  votedSchema,
  voteInputSchema,
  voteListSchema,
} from '@hearth/protocol/schemas';
import { idParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { voteComment, votePost } from './cast-vote.ts';
import { listCommentVotes, listPostVotes } from './list-votes.ts';
import { voteInPoll } from './vote-in-poll.ts';

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

/** Routes of the REST service about votes, those in polls among them. */
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
  route({
    ...voting,
    path: '/posts/:id/poll',
    name: 'voteInPoll',
    summary: 'Choose options in the poll of a post, or none',
    body: pollVoteSchema,
    answers: pollSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: voteInPoll,
  }),
];
