import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { deleteVotesFor } from './store.ts';

/**
 * Removes the votes for posts and comments that the transaction deletes. Those that gave points stay: the author keeps them,
 * and they make further votes of the same person give less.
 */
export function removeVotes({ sql }: Transaction, subjectIds: readonly Id[]): Promise<void> {
  return deleteVotesFor(sql, subjectIds);
}
