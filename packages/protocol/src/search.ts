/** Where to search. Ours. */
export const SEARCHED_PLACES = ['lobby'] as const;

/** What a searched message may have to contain; a link to a file of the instance is a file. Ours. */
export const SEARCHED_CONTENTS = ['file', 'picture', 'link'] as const;

/** The header of a search that stopped early: an id down to which everything was searched. Ours. */
export const SEARCH_STOPPED_HEADER = 'X-Search-Stopped-At';

/** A place to search. */
export type SearchedPlace = (typeof SEARCHED_PLACES)[number];

/** Something that a searched message may have to contain. */
export type SearchedContent = (typeof SEARCHED_CONTENTS)[number];
