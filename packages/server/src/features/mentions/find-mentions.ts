import { MOST_COUNTED_MENTIONS } from '@hearth/protocol/schemas';
import type { Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../ports/database/database.ts';
import {
  deleteOldMentions,
  selectMentionCount,
  selectMentions,
  type StoredMention,
  type UnreadMentions,
} from './mention-counts-store.ts';

/** How many subjects one query is about. */
const SUBJECTS_AT_ONCE = 1_000;

/** How many messages of a channel after one of them mention one of the subjects, as far as they are counted. */
export function countMentions(db: Reader, unread: UnreadMentions): Promise<number> {
  return selectMentionCount(db, unread, MOST_COUNTED_MENTIONS);
}

/** The messages that mention one of the subjects, which are users and roles. */
export async function findMentions(
  db: Reader,
  subjects: Iterable<Id>,
): Promise<readonly StoredMention[]> {
  const all = [...new Set(subjects)];
  const found: StoredMention[] = [];
  for (let from = 0; from < all.length; from += SUBJECTS_AT_ONCE) {
    found.push(...(await selectMentions(db, all.slice(from, from + SUBJECTS_AT_ONCE))));
  }
  return found;
}

/**
 * Keeps only as many messages of a channel that mention a subject as are counted, so that there are never many to read.
 */
export async function keepCountedMentions(
  tx: Transaction,
  channelId: Id,
  subjects: readonly Id[],
): Promise<void> {
  if (subjects.length === 0) return;
  await deleteOldMentions(tx, channelId, { subjects, kept: MOST_COUNTED_MENTIONS });
}
