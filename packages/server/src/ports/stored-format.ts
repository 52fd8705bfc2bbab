/**
 * The format of what is stored. The recorded names of migrations and all keys in Redis begin with it, and what another format
 * made is refused. Raising it starts the list of migrations again.
 */
export const STORED_FORMAT = 8;
