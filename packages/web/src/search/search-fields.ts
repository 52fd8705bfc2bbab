import type { ChannelKind, SearchedKind } from '@hearth/protocol';
import { firstIdAt, type SearchQuery } from '@hearth/sdk';
import { startOfDate } from '../conversation/reading/dates.ts';

/** The search of the reader, as they typed it. */
export interface SearchFields {
  readonly kind: SearchedKind;
  readonly text: string;
  readonly from: string;
  readonly has: '' | 'file' | 'picture' | 'link';
  /** The first and the last day, as date fields have them. */
  readonly since: string;
  readonly until: string;
  /** `wider` if more is searched than the place. */
  readonly where: '' | 'wider';
}

/** Nothing yet. */
export const EMPTY_FIELDS: SearchFields = {
  kind: 'messages',
  text: '',
  from: '',
  has: '',
  since: '',
  until: '',
  where: '',
};

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

/** Returns what can be searched for by its contents; comments have no files. */
export function contentsOf(kind: SearchedKind): readonly SearchFields['has'][] {
  return kind === 'comments' ? ['', 'link'] : ['', 'file', 'picture', 'link'];
}

/** Returns what is to be contained, as far as the kind can contain it. */
export function hasOf({ kind, has }: Pick<SearchFields, 'kind' | 'has'>): SearchFields['has'] {
  return contentsOf(kind).includes(has) ? has : '';
}

/** Counts the filters that are set: fields besides the words and the kind. */
export function filtersIn({ kind, has, from, since, until, where }: SearchFields): number {
  const filters = [hasOf({ kind, has }), from, since, until, where];
  return filters.filter((value) => value.trim() !== '').length;
}

/** The fields as a query; undefined if they do not say enough. */
export function queryOf({ kind, text, from, since, until, ...fields }: SearchFields) {
  const has = hasOf({ kind, has: fields.has });
  const hasWords = /[\p{L}\p{N}]/u.test(text);
  if (!hasWords && from.trim() === '' && has === '') return undefined;
  const sinceMs = startOfDate(since);
  const untilMs = startOfDate(until);
  return {
    ...(hasWords && { text: text.trim() }),
    ...(from.trim() !== '' && { from: from.trim() }),
    ...(has !== '' && { has }),
    ...(sinceMs !== undefined && { after: firstIdAt(sinceMs) }),
    ...(untilMs !== undefined && { before: firstIdAt(dayAfter(untilMs)) }),
  } satisfies SearchQuery;
}

function dayAfter(ms: number): number {
  const date = new Date(ms);
  return date.setDate(date.getDate() + 1);
}
