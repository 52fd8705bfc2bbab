import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../ports/database/database.ts';
import { deleteSomeVotesFor, deleteVotesFor } from './store.ts';

/** How many votes go in one transaction. */
const AT_ONCE = 1_000;

/**
 * Removes the votes for posts and comments that the transaction deletes. Those that gave points stay: the author keeps them,
 * and they make further votes of the same person give less.
 */
export function removeVotes({ sql }: Transaction, subjectIds: readonly Id[]): Promise<void> {
  return deleteVotesFor(sql, subjectIds);
}

/** Removes the same votes some at a time. It can be interrupted and repeated. */
export async function clearVotes(
  { database }: Pick<Context, 'database'>,
  { subjectIds, signal }: { readonly subjectIds: readonly Id[]; readonly signal: AbortSignal },
): Promise<void> {
  for (let count = AT_ONCE; count === AT_ONCE;) {
    signal.throwIfAborted();
    count = await database.transaction(({ sql }) => deleteSomeVotesFor(sql, subjectIds, AT_ONCE));
  }
}
