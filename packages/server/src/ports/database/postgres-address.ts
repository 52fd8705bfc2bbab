import { unfitError } from './unfit-error.ts';

const DEFAULT_PORT = '5432';

/** Where a PostgreSQL is, as `host:port/database`: what may be told of its address, which holds a password. */
export function describePostgres(url: string): string {
  const { hostname, port, pathname, searchParams, username } = parsePostgresUrl(url);
  const told = (name: string, value: string) => searchParams.get(name) ?? value;
  const host = told('host', hostname === '' ? 'localhost' : hostname);
  const database = pathname.length > 1 ? pathname : `/${told('user', username)}`;
  return `${host}:${told('port', port === '' ? DEFAULT_PORT : port)}${database}`;
}

/** Reads the address of a PostgreSQL. Throws an Error that does not tell it. */
export function parsePostgresUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'postgres:' || parsed?.protocol === 'postgresql:') return parsed;
  throw unfitError('an address looks like postgres://user:password@host:5432/database');
}
