import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { selectIdsOfNames } from './store.ts';

const USERNAME = /^[a-z0-9_.-]{2,32}$/;

/** The ids of those people who have one of these names, by the names. */
export function findIdsOfNames(
  db: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, Id>> {
  return selectIdsOfNames(db, [...new Set(names.filter((name) => USERNAME.test(name)))]);
}
