import type { Id } from '@hearth/protocol';
import type { ShownCommunity } from '../communities/shown-communities.ts';

/** The place where the reader opens the search. */
export interface SearchedFrom {
  readonly community: ShownCommunity | undefined;
  /** The lobby or a channel. */
  readonly place: 'lobby' | Id | undefined;
}
