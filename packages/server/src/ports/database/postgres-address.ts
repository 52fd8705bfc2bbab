import { unsupportedServerError } from './unsupported-server-error.ts';

const DEFAULT_PORT = '5432';

/** Returns the place of a PostgreSQL database as `host:port/database`: the parts of its address that may be printed. */
export function describePostgres(url: string): string {
  const { hostname, port, pathname, searchParams, username } = parsePostgresUrl(url);
  const given = (name: string, value: string) => searchParams.get(name) ?? value;
  const host = given('host', hostname === '' ? 'localhost' : hostname);
  const database = pathname.length > 1 ? pathname : `/${given('user', username)}`;
  return `${host}:${given('port', port === '' ? DEFAULT_PORT : port)}${database}`;
}

/** Reads the address of a PostgreSQL database. Throws an Error that does not contain the address. */
export function parsePostgresUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'postgres:' || parsed?.protocol === 'postgresql:') return parsed;
  throw unsupportedServerError(
    'expected an address like postgres://user:password@host:5432/database',
  );
}
