import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { summarizeUser } from './describe-user.ts';
import { selectUsers, selectIdsOfNames } from './store.ts';

const USERNAME = /^[a-z0-9_.-]{2,32}$/;

/** The number of accounts that one query reads. */
const READ_AT_ONCE = 100;

/** The usernames of accounts; that of a deleted one is `deleted`. */
export async function findUsernames(
  { database }: Context,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, string>> {
  const names = new Map<Id, string>();
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const users = await selectUsers(database.reader, ids.slice(from, from + READ_AT_ONCE));
    for (const user of users) names.set(user.id, summarizeUser(user).username);
  }
  return names;
}

/** The ids of those people who have one of these names, by the names. */
export function findIdsOfNames(
  db: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, Id>> {
  return selectIdsOfNames(db, [...new Set(names.filter((name) => USERNAME.test(name)))]);
}
