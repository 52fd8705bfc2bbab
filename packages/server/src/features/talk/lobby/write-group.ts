import { LOBBY_STREAM } from '@hearth/protocol';
import type { Statement, Transaction } from '../../../ports/database/database.ts';
import { rememberNonces, type UsedNonce } from '../../platform/nonces/nonces.ts';
import { deleteLobbyReactions } from '../reactions/reactions.ts';
import { lengthOf, type StoredMessage } from './message-groups.ts';
import type { Outdated } from './message-range.ts';
import { deleteStatement, insertStatement, selectOldestId } from './store.ts';

/** The time that a group gathers before it is written, so that it is stored within 100 ms. */
export const GATHER_MS = 75;

/** The most that is written at once, in messages and UTF-16 units; it holds up the process for some milliseconds. */
const MOST_AT_ONCE = 4_096;
const MOST_LENGTH_AT_ONCE = 512 * 1024;

/** Rows deleted with every write, unless twice as many arrive. */
const ROWS_BESIDE = 8;

/** As many of the first messages as are written at once. */
export function firstGroup(waiting: readonly StoredMessage[]): readonly StoredMessage[] {
  let length = 0;
  const end = waiting.findIndex((stored) => (length += lengthOf(stored)) > MOST_LENGTH_AT_ONCE);
  return waiting.slice(0, Math.min(MOST_AT_ONCE, end === -1 ? waiting.length : end + 1));
}

/** Writes what is kept of a group, and deletes some of the messages that are no longer kept. */
export function groupStatements(
  group: readonly StoredMessage[],
  outdated: Outdated,
): readonly Statement[] {
  const kept = group.filter(({ number }) => number > outdated.afterNumber);
  const { statement, rows } = insertStatement(kept);
  // More than arrived, so that what is left from an hour of many small groups goes too, without a second sync for it.
  const deletion = deleteStatement(outdated, 2 * rows + ROWS_BESIDE);
  return rows === 0 ? [deletion] : [statement, ...rememberNonces(usedIn(kept)), deletion];
}

function usedIn(group: readonly StoredMessage[]): readonly UsedNonce[] {
  return group.flatMap(({ message: { id, user, created_at }, nonce }) =>
    nonce === undefined || user === undefined
      ? []
      : [{ place: LOBBY_STREAM, userId: user.id, nonce, resultId: id, usedAtMs: created_at }],
  );
}

/** Runs statements one after another. Returns how many rows each one changed. */
export async function runStatements(
  tx: Transaction,
  statements: readonly Statement[],
): Promise<readonly number[]> {
  const changed: number[] = [];
  for (const statement of statements) changed.push(await tx.run(statement));
  return changed;
}

/**
 * Deletes some of the messages that are no longer kept, and of the reactions to messages that are deleted: at most `limit`
 * rows of each. Returns how many there were of the more frequent kind.
 */
export async function deleteOutdated(
  tx: Transaction,
  statement: Statement,
  limit: number,
): Promise<number> {
  const deleted = await tx.run(statement);
  const oldest = await selectOldestId(tx.sql);
  return Math.max(deleted, await deleteLobbyReactions(tx.sql, oldest, limit));
}
