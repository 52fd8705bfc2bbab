import type { Id } from './ids.ts';

/** Places to search: the lobby, or it and all communities of the caller together. Ours. */
export const SEARCHED_PLACES = ['lobby', 'all'] as const;

/** Kinds of things that can be searched: messages, posts or comments on posts. Ours. */
export const SEARCHED_KINDS = ['messages', 'posts', 'comments'] as const;

/** Values of `kind`: one kind, or all of them together. Ours. */
export const SEARCHED = [...SEARCHED_KINDS, 'all'] as const;

/** Contents that a searched message may have to have; a link to a file of the instance is a file. Ours. */
export const SEARCHED_CONTENTS = ['file', 'picture', 'link'] as const;

/** The header of a search that stopped early: an id down to which everything was searched. Ours. */
export const SEARCH_STOPPED_HEADER = 'X-Search-Stopped-At';

/** A kind of things that can be searched. */
export type SearchedKind = (typeof SEARCHED_KINDS)[number];

/** A kind, or all kinds together. */
export type SearchedKinds = (typeof SEARCHED)[number];

/** A place to search: one of these, or a channel by its id. */
export type SearchedPlace = (typeof SEARCHED_PLACES)[number] | Id;

/** Something that a searched message may have to contain. */
export type SearchedContent = (typeof SEARCHED_CONTENTS)[number];
