/** The code of errors about a database that Hearth cannot work with, however long it waits. */
export const UNSUPPORTED_SERVER = 'DATABASE_UNSUPPORTED';

/** The error for a database that Hearth cannot work with. */
export function unsupportedServerError(message: string): Error {
  return Object.assign(new Error(message), { code: UNSUPPORTED_SERVER });
}
