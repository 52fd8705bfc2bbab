/** The documented gateway. */
export const DOCUMENTED_PROFILE = 0;

/** The newest profile of the gateway that this version knows; those between are served too. Ours. */
export const NEWEST_PROFILE = 1;
