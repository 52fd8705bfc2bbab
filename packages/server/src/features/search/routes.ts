import { SEARCH_STOPPED_HEADER, type Id, type SearchedPlace } from '@hearth/protocol';
import { foundMessagesSchema, searchQuerySchema } from '@hearth/protocol/schemas';
import { route } from '../../http/route.ts';
import type { Actor } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import type { LobbyContext } from '../lobby/lobby-context.ts';
import { searchChannels } from './channels/search-channels.ts';
import { searchMessages } from './search-messages.ts';
import type { SearchInput } from './wanted.ts';

interface SearchContext extends LobbyContext, CommunityContext {}

interface PlacedInput extends SearchInput {
  readonly in?: SearchedPlace | undefined;
  readonly community?: Id | undefined;
}

/** Searches the lobby unless `input` names another place. */
function search(
  ctx: SearchContext,
  actor: Actor,
  { in: place = 'lobby', community, ...input }: PlacedInput,
) {
  if (community !== undefined) {
    return searchChannels(ctx, actor, { ...input, communityId: community });
  }
  if (place === 'lobby') return searchMessages(ctx, actor, input);
  return searchChannels(ctx, actor, { ...input, channelId: place });
}

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
    answers: foundMessagesSchema,
    throws: ['ForbiddenError', 'NotFoundError'],
    addsHeaders: {
      [SEARCH_STOPPED_HEADER]:
        'The search read as much as it may. Older messages were not searched: continue with this id as `before`',
    },
    async handle(ctx: SearchContext, actor, input) {
      const { messages, stoppedAt } = await search(ctx, actor, input);
      return {
        body: messages,
        headers: stoppedAt === undefined ? {} : { [SEARCH_STOPPED_HEADER]: stoppedAt },
      };
    },
  }),
];
