import {
  receivedComments,
  receivedPosts,
  type ReceivedComment,
  type ReceivedPost,
} from '@hearth/protocol/received-posts';
import type { Api } from '../api.ts';
import type { ChannelSearchPlace, ChannelSearchQuery } from '../channels/search-channels.ts';
import { findPage, type FoundPage } from '../find-page.ts';
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
