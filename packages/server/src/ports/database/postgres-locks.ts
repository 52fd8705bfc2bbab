/** The first key of all of Hearth's advisory locks, so that no other program has the same ones: HEAR in ASCII. */
const HEARTH = 0x48_45_41_52;

/** Hearth's advisory locks on a database, as the arguments of PostgreSQL's functions. */
export const LOCKS = {
  migration: `${HEARTH}, 1`,
  /** Held by every process that runs on the database. */
  use: `${HEARTH}, 4`,
  /** Held by every connection that listens for changes. */
  listening: `${HEARTH}, 5`,
  /** The first key of names that transactions hold. */
  names: HEARTH + 1,
} as const;
