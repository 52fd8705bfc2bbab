/** The kinds that a search finds: messages of the lobby, messages of other places, posts, and comments. */
export const INDEXED_KINDS = ['lobby', 'messages', 'posts', 'comments'] as const;

export type IndexedKind = (typeof INDEXED_KINDS)[number];
