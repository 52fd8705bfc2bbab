import type { ChannelMessage, Id } from '@hearth/protocol';
import { receivedChannelMessages } from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import { findPage } from '../find-page.ts';
import type { SearchPage, SearchQuery } from '../search.ts';
import type { RequestOptions } from '../types.ts';

/** A search in channels. It needs `text`, `from` or `has`. */
export type ChannelSearchQuery = Omit<SearchQuery, 'in'>;

/** A part of what a search in channels has found. */
export type ChannelSearchPage = SearchPage<ChannelMessage>;

/** The place to search: in a channel, or in all of a community that the person sees. */
export type ChannelSearchPlace = { readonly in: Id } | { readonly community: Id };

/** Searches messages of channels. */
export async function searchChannels(
  api: Api,
  search: ChannelSearchQuery & ChannelSearchPlace,
  options: RequestOptions = {},
): Promise<ChannelSearchPage> {
  const answers = receivedChannelMessages;
  const { entries, next } = await findPage(api, search, { answers, ...options });
  return { messages: entries, next };
}
