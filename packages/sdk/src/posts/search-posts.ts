import type {
  FoundAnywhere,
  Id,
  SearchedKinds,
  SearchedPlace,
  SearchFacets,
} from '@hearth/protocol';
import {
  RECEIVED_FOUND,
  receivedComments,
  receivedFacets,
  receivedPosts,
  type ReceivedComment,
  type ReceivedPost,
} from '@hearth/protocol/received-posts';
import type { Api } from '../api.ts';
import type { ChannelSearchPlace, ChannelSearchQuery } from '../channels/search-channels.ts';
import { findPage, type FoundPage } from '../find-page.ts';
import type { SearchQuery } from '../search.ts';
import type { RequestOptions } from '../types.ts';

/** A search, and its place. */
export type PostSearch = ChannelSearchQuery & ChannelSearchPlace;

/** Searches the titles, texts and addresses of posts. */
export function searchPosts(
  api: Api,
  search: PostSearch,
  options: RequestOptions = {},
): Promise<FoundPage<ReceivedPost>> {
  return findPage(api, { ...search, kind: 'posts' }, { answers: receivedPosts, ...options });
}

/** Searches the texts of comments. */
export function searchComments(
  api: Api,
  search: PostSearch,
  options: RequestOptions = {},
): Promise<FoundPage<ReceivedComment>> {
  return findPage(api, { ...search, kind: 'comments' }, { answers: receivedComments, ...options });
}

/** A search for messages, posts and comments together. */
export interface WholeSearch extends Omit<SearchQuery, 'in'> {
  /** Default: all kinds. */
  readonly kind?: SearchedKinds | undefined;
  /** Default: the lobby and all communities of the person, unless a community is given. */
  readonly in?: SearchedPlace | undefined;
  readonly community?: Id | undefined;
}

/** A search whose hits are counted. */
export type CountedSearch = Omit<WholeSearch, 'limit'>;

/** Searches messages, posts and comments. */
export function searchAll(
  api: Api,
  { kind = 'all', community, in: place = community ? undefined : 'all', ...search }: WholeSearch,
  options: RequestOptions = {},
): Promise<FoundPage<FoundAnywhere>> {
  const answers = RECEIVED_FOUND[kind];
  return findPage(api, { kind, community, in: place, ...search }, { answers, ...options });
}

/** Counts what a search finds. */
export function countFound(
  api: Api,
  { text, community, in: place = community ? undefined : 'all', ...search }: CountedSearch,
  { signal }: RequestOptions = {},
): Promise<SearchFacets> {
  return api.request({
    method: 'GET',
    path: '/search/facets',
    limit: 'search_facets',
    query: { q: text, in: place, community, ...search },
    answers: receivedFacets,
    signal,
  });
}
