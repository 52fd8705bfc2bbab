/** What Hearth's advisory locks have in common, so that they are not those of anybody else: HEAR in ASCII. */
const HEARTH = 0x48_45_41_52;

/** Hearth's advisory locks of a database, as the arguments of PostgreSQL's functions. */
export const LOCKS = {
  migration: `${HEARTH}, 1`,
  /** Held by every process that runs on the database. */
  use: `${HEARTH}, 4`,
} as const;
