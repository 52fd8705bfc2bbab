import { SEARCH_STOPPED_HEADER, type Id } from '@hearth/protocol';
import {
  facetsQuerySchema,
  foundSchema,
  searchFacetsSchema,
  searchQuerySchema,
} from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { search, searchAll, searchFacets, type SearchContext } from './search.ts';

const ADDED_HEADERS = {
  [SEARCH_STOPPED_HEADER]:
    'The search read as much as it may. What is older was not searched: continue with this id as `before`',
};

/** `GET /search` and `GET /search/facets` of the REST service. */
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
    addsHeaders: ADDED_HEADERS,
    async handle(ctx: SearchContext, actor, { kind, ...input }) {
      const searched = kind ?? (input.in === 'all' ? 'all' : 'messages');
      const { found, stoppedAt } =
        searched === 'all'
          ? await searchAll(ctx, actor, input)
          : await search(ctx, actor, { ...input, kind: searched });
      return { body: found, headers: headersFor(stoppedAt) };
    },
  }),
  route({
    method: 'GET',
    path: '/search/facets',
    name: 'countFound',
    tag: 'messages',
    summary: 'Count what a search finds, by kind, place and author',
    limit: 'search_facets',
    auth: 'optional',
    query: facetsQuerySchema,
    answers: searchFacetsSchema,
    throws: ['ForbiddenError', 'NotFoundError'],
    addsHeaders: ADDED_HEADERS,
    async handle(ctx: SearchContext, actor, input) {
      const { facets, stoppedAt } = await searchFacets(ctx, actor, input);
      return { body: facets, headers: headersFor(stoppedAt) };
    },
  }),
];

function headersFor(stoppedAt: Id | undefined): Readonly<Record<string, string>> {
  return stoppedAt === undefined ? {} : { [SEARCH_STOPPED_HEADER]: stoppedAt };
}
