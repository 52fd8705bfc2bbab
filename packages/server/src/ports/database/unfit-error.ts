/** The code of errors that say that a database cannot be worked with, however long one waits. */
export const UNFIT = 'DATABASE_UNFIT';

/** What a database is refused with that Hearth cannot work with. */
export function unfitError(message: string): Error {
  return Object.assign(new Error(message), { code: UNFIT });
}
