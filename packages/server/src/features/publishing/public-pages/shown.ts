import type { PageHead, PlaceDocument } from './page-head.ts';
import type { PlainAddresses } from './addresses.ts';

/** The content that visitors may see at a place now. */
export interface Shown {
  /** All that it is made of, besides addresses: as long as this stays the same, so does what is rendered. */
  readonly of: readonly unknown[];
  readonly render: (to: PlainAddresses) => Promise<PageHead | PlaceDocument>;
}

/**
 * Finds what visitors may see at a place, by the parameters of its address; undefined if there is nothing. It reads all of it for
 * each call, so that nothing is shown that was removed or hidden.
 */
export type FindShown = (params: Readonly<Record<string, string>>) => Promise<Shown | undefined>;

/** By the paths of places. */
export type ShownPlaces = ReadonlyMap<string, FindShown>;
