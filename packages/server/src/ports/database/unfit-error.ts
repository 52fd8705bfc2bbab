/** The code of errors about a database that Hearth cannot work with, however long it waits. */
export const UNFIT = 'DATABASE_UNFIT';

/** The error for a database that Hearth cannot work with. */
export function unfitError(message: string): Error {
  return Object.assign(new Error(message), { code: UNFIT });
}
