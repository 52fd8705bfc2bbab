import { CHANNELS, LOBBY, type PlaceKind } from '../features/talk/places/places.ts';

/** The kinds of places in which something is said. */
export const PLACE_KINDS: readonly PlaceKind[] = [LOBBY, CHANNELS];
