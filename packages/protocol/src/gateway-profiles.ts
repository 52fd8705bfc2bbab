/** The documented gateway. */
export const DOCUMENTED_PROFILE = 0;

/** The newest gateway profile that this version knows. It serves all profiles up to this one. Ours. */
export const NEWEST_PROFILE = 1;
