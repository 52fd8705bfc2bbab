import { MOST_COUNTED_MENTIONS } from '@hearth/protocol/schemas';
import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import {
  selectMentionCount,
  selectMentions,
  type StoredMention,
  type UnreadMentions,
} from './store.ts';

/** The number of subjects in one query. */
const SUBJECTS_AT_ONCE = 1_000;

/** Counts the messages of a channel after one of them that mention one of the subjects, as far as they are counted. */
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
