import type { Id } from '@hearth/protocol';
import { MOST_COUNTED_MENTIONS } from '@hearth/protocol/schemas';
import type { Transaction, Writer } from '../../../ports/database/database.ts';
import { subjectsOf, type Mentions } from './stored-mentions.ts';
import {
  deleteMentions,
  deleteMentionsIn,
  deleteOldMentions,
  insertAllMentions,
  type Mentioning,
} from './store.ts';

interface NewText {
  readonly id: Id;
  /** Empty outside of communities. */
  readonly communityId: Id | '';
  readonly channelId: Id;
  readonly mentions: Mentions;
}

/** Counts what new messages or posts of channels mention. */
export async function noteMentions(tx: Transaction, texts: readonly NewText[]): Promise<void> {
  const mentions = texts.flatMap(({ mentions: own, communityId, channelId, id }) =>
    Array.from(subjectsOf(own, communityId || channelId), (subjectId) => ({
      subjectId,
      channelId,
      id,
    })),
  );
  if (mentions.length === 0) return;
  await insertAllMentions(tx, mentions);
  for (const [channelId, own] of Map.groupBy(mentions, (mention) => mention.channelId)) {
    const subjects = new Set(own.map(({ subjectId }) => subjectId));
    await keepCountedMentions(tx, channelId, [...subjects]);
  }
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

/** Forgets that a message or post has mentioned somebody. */
export function forgetMentions(
  db: Writer,
  text: Mentioning,
  subjects: readonly Id[],
): Promise<void> {
  return deleteMentions(db, text, subjects);
}

/** The same for all whom messages or posts of a channel have mentioned. */
export function forgetMentionsIn(db: Writer, channelId: Id, ids: readonly Id[]): Promise<void> {
  return deleteMentionsIn(db, channelId, ids);
}
