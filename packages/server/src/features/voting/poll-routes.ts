import { pollSchema, pollVoteSchema } from '@hearth/protocol/schemas';
import { idParams } from '../../http/params.ts';
import { route } from '../../http/route.ts';
import { voteInPoll } from './vote-in-poll.ts';

/** The route of the REST service about polls. */
export const pollRoutes = [
  route({
    method: 'PUT',
    path: '/posts/:id/poll',
    name: 'voteInPoll',
    tag: 'votes',
    summary: 'Choose options in the poll of a post, or none',
    limit: 'vote',
    auth: 'user',
    params: idParams,
    body: pollVoteSchema,
    answers: pollSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: voteInPoll,
  }),
];
