/** The documented gateway. */
export const DOCUMENTED_PROFILE = 0;

/** The lobby with its positions, so that clients resume. Ours. */
export const LOBBY_PROFILE = 1;

/** Streams by name, for people with an account and for guests. Ours. */
export const ACCOUNT_PROFILE = 2;
