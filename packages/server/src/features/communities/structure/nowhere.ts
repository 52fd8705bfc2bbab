import type { Id } from '@hearth/protocol';

/** An id that no community, channel or user has. Looking for it takes the same queries as looking for one that exists. */
// Guarantee: ids are greater.
export const NOWHERE = '0' as Id;
