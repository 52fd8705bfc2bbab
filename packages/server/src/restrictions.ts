import type { Term } from '@hearth/protocol';

export type { Term } from '@hearth/protocol';

/** Activities that an owner can pause. */
export const PAUSABLE = ['posting', 'uploads'] as const;

export type Pausable = (typeof PAUSABLE)[number];

/** Restrictions of the owner at present. Readers compare `until` with the time. */
export interface InForce {
  /** True if there is nothing to check. */
  readonly isNothing: boolean;
  readonly pauses: Readonly<Partial<Record<Pausable, Term>>>;
  /** Every client may post one message in this many seconds; 0 if slow mode is off. */
  readonly slowModeSeconds: number;
  /** The code that clients have to send. */
  readonly accessCode: AccessCode | undefined;
  /** The bans that include a client. */
  bansOf(client: string): readonly Term[];
}

export interface AccessCode {
  /** Compares in constant time. */
  isSame(given: string): boolean;
}

/** The access codes that clients try. Wrong ones are limited by client. */
export interface CodeGuesses {
  /**
   * Resolves with whether a client's code is right, as `compare` returns. A wrong one is counted, and until that is
   * done no other code of the client is compared. Rejects with RateLimitedError if there were too many wrong ones.
   */
  isRight(client: string, compare: () => boolean): Promise<boolean>;
}

/**
 * Knows what the owner restricts. Every process hears of a change within a second. If a process may be missing changes,
 * it reads the database, and if that does not answer, nothing that is restricted is allowed.
 */
export interface Restrictions {
  readonly guesses: CodeGuesses;

  /**
   * The restrictions that were read last; `onChange` reports when they are replaced. They may be out of date, so they
   * must not be the reason to let a client do something: ask `current` first.
   */
  readonly latest: InForce;

  /**
   * Returns the restrictions in force; at once if this process knows them. Rejects with ServerError if they cannot be
   * known.
   */
  current(): InForce | Promise<InForce>;

  /** Calls `listener` whenever something has changed, until the returned function is called. */
  onChange(listener: (inForce: InForce) => void): () => void;
}
