import { SEARCH_STOPPED_HEADER } from '@hearth/protocol';
import { messageListSchema, searchQuerySchema } from '@hearth/protocol/schemas';
import { route } from '../../http/route.ts';
import type { LobbyContext } from '../lobby/lobby-context.ts';
import { searchMessages } from './search-messages.ts';

/** `GET /search` of the REST service. */
export const searchRoutes = [
  route({
    method: 'GET',
    path: '/search',
    name: 'searchMessages',
    tag: 'messages',
    summary: 'Search messages, the newest first',
    limit: 'search',
    auth: 'optional',
    query: searchQuerySchema,
    answers: messageListSchema,
    throws: ['ForbiddenError'],
    addsHeaders: {
      [SEARCH_STOPPED_HEADER]:
        'The search read as much as it may. Older messages were not searched: continue with this id as `before`',
    },
    async handle(ctx: LobbyContext, actor, input) {
      const { messages, stoppedAt } = await searchMessages(ctx, actor, input);
      return {
        body: messages,
        headers: stoppedAt === undefined ? {} : { [SEARCH_STOPPED_HEADER]: stoppedAt },
      };
    },
  }),
];
