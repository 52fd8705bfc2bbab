import { requiredContext } from '../lib/required-context.ts';

/** Covers over the place where the reader is, which have no address. */
export interface Covers {
  /** Lets Back close it, and call `onLeft`; returns a function for when it was closed in another way. */
  cover(onLeft: () => void): () => void;
}

const { Provider, useValue } = requiredContext<Covers>();

/** Provides views with the covers. */
export const CoversProvider = Provider;

/** Returns the covers, by which Back closes what has no address. */
export const useCovers = useValue;
