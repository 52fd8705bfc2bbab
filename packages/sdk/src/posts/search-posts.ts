import { HISTORY_PAGE, parseId, SEARCH_STOPPED_HEADER, type Id } from '@hearth/protocol';
import {
  receivedComments,
  receivedPosts,
  type ReceivedComment,
  type ReceivedPost,
} from '@hearth/protocol/received-posts';
import type { Api } from '../api.ts';
import type { ChannelSearchPlace, ChannelSearchQuery } from '../channels/search-channels.ts';
import type { Reading } from '../http.ts';
import type { RequestOptions } from '../types.ts';

/** A part of what a search has found. */
export interface FoundPage<Entry> {
  /** The newest comes first. */
  readonly entries: readonly Entry[];
  /** Pass it as `before` to get the next page, which may exist even if this one is empty; undefined if there is none. */
  readonly next: Id | undefined;
}

/** What to search, and where. */
export type PostSearch = ChannelSearchQuery & ChannelSearchPlace;

/** Searches the titles, texts and addresses of posts. */
export function searchPosts(
  api: Api,
  search: PostSearch,
  options: RequestOptions = {},
): Promise<FoundPage<ReceivedPost>> {
  return find(api, { kind: 'posts', answers: receivedPosts, ...options }, search);
}

/** Searches the texts of comments. */
export function searchComments(
  api: Api,
  search: PostSearch,
  options: RequestOptions = {},
): Promise<FoundPage<ReceivedComment>> {
  return find(api, { kind: 'comments', answers: receivedComments, ...options }, search);
}

interface Finding<Entry> extends RequestOptions {
  readonly kind: 'posts' | 'comments';
  readonly answers: Reading<readonly Entry[]>;
}

async function find<Entry extends { readonly id: Id }>(
  api: Api,
  { kind, answers, signal }: Finding<Entry>,
  { text, limit = HISTORY_PAGE.default, ...search }: PostSearch,
): Promise<FoundPage<Entry>> {
  const { answer: entries, headers } = await api.requestWithHeaders({
    method: 'GET',
    path: '/search',
    limit: 'search',
    query: { q: text, kind, ...search, limit },
    answers,
    signal,
  });
  const stoppedAt = parseId(headers.get(SEARCH_STOPPED_HEADER) ?? '');
  return { entries, next: entries.length >= limit ? entries.at(-1)?.id : stoppedAt };
}
