import type { Id } from '@hearth/protocol';
import { MOST_COUNTED_MENTIONS } from '@hearth/protocol/schemas';
import type { Transaction } from '../../../ports/database/database.ts';
import { subjectsOf, type Mentions } from './stored-mentions.ts';
import { deleteOldMentions, insertAllMentions } from './store.ts';

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
    // Only as many are kept as are counted, so that there are never many to read.
    const kept = MOST_COUNTED_MENTIONS;
    await deleteOldMentions(tx, channelId, { subjects: [...subjects], kept });
  }
}
