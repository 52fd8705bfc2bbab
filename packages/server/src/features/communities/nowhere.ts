import type { Id } from '@hearth/protocol';

/** The id of no community, channel or user, for whom the same is asked as for one that exists. */
// Guarantee: ids are greater.
export const NOWHERE = '0' as Id;
