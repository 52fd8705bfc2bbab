import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { keepCountedMentions } from './find-mentions.ts';
import { insertAllMentions } from './mention-store.ts';
import { subjectsOf, type StoredMessage } from '../messages/stored-message.ts';

/** A new message or post. */
type NewText = Pick<StoredMessage, 'channelId' | 'id' | 'mentions'> & { readonly communityId: Id };

/** Counts what new messages or posts of channels mention. */
export async function noteMentions(tx: Transaction, texts: readonly NewText[]): Promise<void> {
  const mentions = texts.flatMap(({ mentions: own, communityId, channelId, id }) =>
    Array.from(subjectsOf(own, communityId), (subjectId) => ({ subjectId, channelId, id })),
  );
  if (mentions.length === 0) return;
  await insertAllMentions(tx, mentions);
  for (const [channelId, own] of Map.groupBy(mentions, (mention) => mention.channelId)) {
    const subjects = new Set(own.map(({ subjectId }) => subjectId));
    await keepCountedMentions(tx, channelId, [...subjects]);
  }
}
