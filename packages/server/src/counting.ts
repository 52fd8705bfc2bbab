import type { RateLimitOf } from '@hearth/protocol';

/**
 * Counts a request whose verb finds out for whom it counts. It has been counted for its address, at ten times the limit. If a
 * verb throws without counting it, it counts for the address.
 */
export interface Counting {
  /** Counts it for the address. Throws RateLimitedError if there were too many. */
  forAddress(): Promise<void>;

  /** Counts it for something else, such as an account. Throws RateLimitedError if there were too many. */
  forKey(limit: RateLimitOf<'rest'>, key: string): Promise<void>;

  /** Counts as above, but apart at each address, so that nobody uses it up elsewhere. */
  forKeyHere(limit: RateLimitOf<'rest'>, key: string): Promise<void>;
}
