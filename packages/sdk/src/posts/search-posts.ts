import type { FoundAnywhere, SearchedKind } from '@hearth/protocol';
import {
  receivedComments,
  receivedFoundAnywhere,
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

/** A search over the lobby and all communities of the caller. */
export interface EverywhereSearch extends Omit<SearchQuery, 'in'> {
  /** Default: all kinds. */
  readonly kind?: SearchedKind | undefined;
}

/** Searches messages, posts and comments. */
export function searchEverywhere(
  api: Api,
  search: EverywhereSearch,
  options: RequestOptions = {},
): Promise<FoundPage<FoundAnywhere>> {
  const answers = receivedFoundAnywhere;
  return findPage(api, { ...search, in: 'all' }, { answers, ...options });
}
