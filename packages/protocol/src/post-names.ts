/** The most characters of a title, of the text of a post and of a comment. Ours. */
export const MOST_TITLE_CHARACTERS = 300;
export const MOST_POST_CHARACTERS = 40_000;
export const MOST_COMMENT_CHARACTERS = 10_000;

/** In which order lists of posts are. Ours. */
export const POST_SORTS = ['hot', 'new', 'active', 'top', 'controversial'] as const;

/** From when on posts are in a list that is sorted by `top` or `controversial`. Ours. */
export const POST_PERIODS = ['day', 'week', 'month', 'year'] as const;

/** In which order comments with the same parent are. Ours. */
export const COMMENT_SORTS = ['top', 'new', 'old', 'controversial'] as const;

export type PostSort = (typeof POST_SORTS)[number];
export type PostPeriod = (typeof POST_PERIODS)[number];
export type CommentSort = (typeof COMMENT_SORTS)[number];
