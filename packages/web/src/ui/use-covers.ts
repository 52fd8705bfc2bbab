import { requiredContext } from '../lib/required-context.ts';

/** What lies over the place where the reader is, and has no address. */
export interface Covers {
  /** Lets Back close it, and call `onLeft`; returns a function for when it was closed in another way. */
  cover(onLeft: () => void): () => void;
}

const { Provider, useValue } = requiredContext<Covers>();

/** Where views find the covers. */
export const CoversProvider = Provider;

/** How to let Back close what has no address. */
export const useCovers = useValue;
