import type { Reader } from '../../../ports/database/database.ts';
import { selectBlocks, selectState } from './store.ts';

/** Progress of the newest index. */
export interface SearchProgress {
  readonly isComplete: boolean;
  /** The number of entries that it has. */
  readonly entries: number;
  /** About as many as it will have; undefined if there is no former index, which has about the same. */
  readonly of: number | undefined;
}

/** Reads how far the newest index is. Resolves with undefined if none was begun. */
export async function readProgress(db: Reader): Promise<SearchProgress | undefined> {
  const state = await selectState(db);
  if (state === undefined) return undefined;
  const { newest, searched, isComplete } = state;
  const entries = await countEntries(db, newest);
  const of = searched === newest ? undefined : await countEntries(db, searched);
  return { isComplete, entries, of };
}

/** Counts the entries of an index, with those that were deleted since. */
async function countEntries(db: Reader, index: number): Promise<number> {
  const blocks = await selectBlocks(db, index);
  return blocks.reduce((sum, { positions }) => sum + positions, 0);
}

/** Returns how far an index is, for people, as the rest of a sentence about it. */
export function progressText({ isComplete, entries, of }: SearchProgress): string {
  if (isComplete) return `is complete: ${counted(entries)}`;
  if (of === undefined) return `is being made: ${counted(entries)} so far`;
  // What was posted meanwhile is in both, and what was deleted may be in the former one only.
  const percent = Math.min(99, Math.floor((100 * entries) / Math.max(1, of)));
  return `is being made: ${entries.toLocaleString('en')} of about ${counted(of)} (${percent} %)`;
}

function counted(entries: number): string {
  return `${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}`;
}
