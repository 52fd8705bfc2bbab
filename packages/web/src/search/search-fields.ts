import type { ChannelKind, SearchedKind } from '@hearth/protocol';
import { firstIdAt, type Id, type SearchQuery } from '@hearth/sdk';
import { startOfDate } from '../conversation/reading/dates.ts';

/** The search of the reader, as they typed and chose it. */
export interface SearchFields {
  readonly text: string;
  readonly kind: SearchedKind | undefined;
  /** The lobby or a channel; undefined for all of them. */
  readonly place: 'lobby' | Id | undefined;
  /** The community, unless there is a place; undefined for everything that the reader sees. */
  readonly community: Id | undefined;
  readonly from: string;
  readonly has: '' | 'file' | 'picture' | 'link';
  /** The first and the last day, as date fields have them. */
  readonly since: string;
  readonly until: string;
}

/** Nothing yet, everywhere. */
export const EMPTY_FIELDS: SearchFields = {
  text: '',
  kind: undefined,
  place: undefined,
  community: undefined,
  from: '',
  has: '',
  since: '',
  until: '',
};

/** The fields as the instance is asked for them. */
export type AskedSearch = Omit<SearchQuery, 'in'> & {
  readonly kind?: SearchedKind;
} & ({ readonly in: Id | 'lobby' | 'all' } | { readonly community: Id });

/** Returns what there is to search in channels. */
export function kindsIn(
  channels: readonly { readonly kind: ChannelKind }[],
): readonly SearchedKind[] {
  const kinds = new Set(channels.map(({ kind }) => kind));
  return [
    ...(kinds.has('messages') || kinds.has('announcements') ? (['messages'] as const) : []),
    ...(kinds.has('posts') ? (['posts', 'comments'] as const) : []),
  ];
}

/** Counts the filters that are set besides those that facets show. */
export function filtersIn({ has, from, since, until }: SearchFields): number {
  return [has, from, since, until].filter((value) => value.trim() !== '').length;
}

/** The fields as a search; undefined if they do not say enough. */
export function askedBy(fields: SearchFields): AskedSearch | undefined {
  const { text, from, has, since, until, kind, place, community } = fields;
  const hasWords = /[\p{L}\p{N}]/u.test(text);
  if (!hasWords && from.trim() === '' && has === '') return undefined;
  const sinceMs = startOfDate(since);
  const untilMs = startOfDate(until);
  return {
    ...(place === undefined && community !== undefined
      ? { community }
      : { in: place ?? ('all' as const) }),
    ...(kind !== undefined && { kind }),
    ...(hasWords && { text: text.trim() }),
    ...(from.trim() !== '' && { from: from.trim() }),
    ...(has !== '' && { has }),
    ...(sinceMs !== undefined && { after: firstIdAt(sinceMs) }),
    ...(untilMs !== undefined && { before: firstIdAt(dayAfter(untilMs)) }),
  };
}

function dayAfter(ms: number): number {
  const date = new Date(ms);
  return date.setDate(date.getDate() + 1);
}
