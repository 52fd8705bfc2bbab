import {
  HISTORY_PAGE,
  parseId,
  SEARCH_STOPPED_HEADER,
  type Id,
  type SearchedContent,
  type SearchedKinds,
  type SearchedPlace,
} from '@hearth/protocol';
import type { Api } from './api.ts';
import type { Reading } from './http.ts';
import type { RequestOptions } from './types.ts';

/** A part of what a search has found. */
export interface FoundPage<Entry> {
  /** The newest comes first. */
  readonly entries: readonly Entry[];
  /** Pass it as `before` to get the next page, which may exist even if this one is empty; undefined if there is none. */
  readonly next: Id | undefined;
}

interface Finding<Entry> extends RequestOptions {
  readonly answers: Reading<readonly Entry[]>;
}

/** The search and its place: the parameters of the request, with `text` for `q`. */
interface Wanted {
  readonly text?: string | undefined;
  readonly in?: SearchedPlace | Id | undefined;
  readonly community?: Id | undefined;
  readonly kind?: SearchedKinds | undefined;
  readonly from?: string | undefined;
  readonly has?: SearchedContent | undefined;
  readonly before?: Id | undefined;
  readonly after?: Id | undefined;
  readonly limit?: number | undefined;
}

/** Requests a page of what a search finds. */
export async function findPage<Entry extends { readonly id: Id }>(
  api: Api,
  { text, in: channel, community, kind, limit = HISTORY_PAGE.default, ...search }: Wanted,
  { answers, signal }: Finding<Entry>,
): Promise<FoundPage<Entry>> {
  const { answer: entries, headers } = await api.requestWithHeaders({
    method: 'GET',
    path: '/search',
    limit: 'search',
    query: { q: text, in: channel, community, kind, ...search, limit },
    answers,
    signal,
  });
  const stoppedAt = parseId(headers.get(SEARCH_STOPPED_HEADER) ?? '');
  return { entries, next: entries.length >= limit ? entries.at(-1)?.id : stoppedAt };
}
