import { SEARCH_STOPPED_HEADER } from '@hearth/protocol';
import { foundSchema, searchQuerySchema } from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { search, searchAll, type SearchContext } from './search.ts';

/** `GET /search` of the REST service. */
export const searchRoutes = [
  route({
    method: 'GET',
    path: '/search',
    name: 'searchMessages',
    tag: 'messages',
    summary: 'Search messages, posts and comments, the newest first',
    limit: 'search',
    auth: 'optional',
    query: searchQuerySchema,
    answers: foundSchema,
    throws: ['ForbiddenError', 'NotFoundError'],
    addsHeaders: {
      [SEARCH_STOPPED_HEADER]:
        'The search read as much as it may. What is older was not searched: continue with this id as `before`',
    },
    async handle(ctx: SearchContext, actor, { kind, ...input }) {
      const searched = kind ?? (input.in === 'all' ? 'all' : 'messages');
      const { found, stoppedAt } =
        searched === 'all'
          ? await searchAll(ctx, actor, input)
          : await search(ctx, actor, { ...input, kind: searched });
      return {
        body: found,
        headers: stoppedAt === undefined ? {} : { [SEARCH_STOPPED_HEADER]: stoppedAt },
      };
    },
  }),
];
