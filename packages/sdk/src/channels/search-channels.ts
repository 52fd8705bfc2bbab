import {
  HISTORY_PAGE,
  parseId,
  SEARCH_STOPPED_HEADER,
  type ChannelMessage,
  type Id,
} from '@hearth/protocol';
import { receivedChannelMessages } from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import type { SearchPage, SearchQuery } from '../search.ts';
import type { RequestOptions } from '../types.ts';

/** What to search in channels. It needs `text`, `from` or `has`. */
export type ChannelSearchQuery = Omit<SearchQuery, 'in'>;

/** A part of what a search in channels has found. */
export type ChannelSearchPage = SearchPage<ChannelMessage>;

/** Where to search: in a channel, or in all of a community that the person sees. */
export type ChannelSearchPlace = { readonly in: Id } | { readonly community: Id };

/** Searches messages of channels. */
export async function searchChannels(
  api: Api,
  {
    text,
    from,
    has,
    before,
    after,
    limit = HISTORY_PAGE.default,
    ...place
  }: ChannelSearchQuery & ChannelSearchPlace,
  { signal }: RequestOptions = {},
): Promise<ChannelSearchPage> {
  const { answer: messages, headers } = await api.requestWithHeaders({
    method: 'GET',
    path: '/search',
    limit: 'search',
    query: { q: text, ...place, from, has, before, after, limit },
    answers: receivedChannelMessages,
    signal,
  });
  const stoppedAt = parseId(headers.get(SEARCH_STOPPED_HEADER) ?? '');
  return { messages, next: messages.length >= limit ? messages.at(-1)?.id : stoppedAt };
}
