import type { Reader } from '../../../ports/database/database.ts';
import type { StoredMessage } from './stored-message.ts';

/** The texts of those of the messages that there are, in any channels and in no order. */
export async function selectTexts(
  db: Reader,
  messages: readonly Pick<StoredMessage, 'id' | 'channelId'>[],
): Promise<readonly Pick<StoredMessage, 'id' | 'content'>[]> {
  if (messages.length === 0) return [];
  const channels = new Set(messages.map(({ channelId }) => channelId));
  return await db
    .selectFrom('channel_messages')
    .select(['id', 'content'])
    // Identifiers are unique on the instance: this only lets the index be used.
    .where('channel_id', 'in', [...channels])
    .where(
      'id',
      'in',
      messages.map(({ id }) => id),
    )
    .execute();
}
