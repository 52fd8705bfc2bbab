import {
  SEARCH_STOPPED_HEADER,
  type Id,
  type SearchedKind,
  type SearchedPlace,
} from '@hearth/protocol';
import { foundSchema, searchQuerySchema } from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import type { Actor } from '../../../actor.ts';
import type { PlacesContext } from '../../talk/places/places.ts';
import type { KeepsHistory } from '../../talk/lobby/lobby.ts';
import type { KeepsNamedFiles } from '../../files/uploads/uploads.ts';
import { searchChannels, searchComments, searchPosts } from './channels/search-channels.ts';
import { searchLobby } from './search-lobby.ts';
import type { SearchInput } from './wanted.ts';
import type { PostsContext } from '../../forum/posts/posts.ts';

interface PlacedInput extends SearchInput {
  readonly kind: SearchedKind;
  readonly in?: SearchedPlace | undefined;
  readonly community?: Id | undefined;
}

const SEARCHES = {
  messages: searchChannels,
  posts: searchPosts,
  comments: searchComments,
} as const;

/** Searches the lobby unless `input` names another place. */
async function search(
  ctx: KeepsHistory & KeepsNamedFiles & PlacesContext & PostsContext,
  actor: Actor,
  { kind, in: place = 'lobby', community, ...input }: PlacedInput,
) {
  if (community !== undefined) {
    return await SEARCHES[kind](ctx, actor, { ...input, communityId: community });
  }
  if (place === 'lobby') return await searchLobby(ctx, actor, input);
  return await SEARCHES[kind](ctx, actor, { ...input, channelId: place });
}

/** `GET /search` of the REST service. */
export const searchRoutes = [
  route({
    method: 'GET',
    path: '/search',
    name: 'searchMessages',
    tag: 'messages',
    summary: 'Search messages, posts or comments, the newest first',
    limit: 'search',
    auth: 'optional',
    query: searchQuerySchema,
    answers: foundSchema,
    throws: ['ForbiddenError', 'NotFoundError'],
    addsHeaders: {
      [SEARCH_STOPPED_HEADER]:
        'The search read as much as it may. What is older was not searched: continue with this id as `before`',
    },
    async handle(ctx: KeepsHistory & KeepsNamedFiles & PlacesContext & PostsContext, actor, input) {
      const { found, stoppedAt } = await search(ctx, actor, input);
      return {
        body: found,
        headers: stoppedAt === undefined ? {} : { [SEARCH_STOPPED_HEADER]: stoppedAt },
      };
    },
  }),
];
