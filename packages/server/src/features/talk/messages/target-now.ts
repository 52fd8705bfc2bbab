import type { Transaction } from '../../../ports/database/database.ts';
import type { Named } from './describe-message.ts';
import { selectMessage } from './store.ts';
import type { StoredMessage } from './stored-message.ts';

/**
 * Returns what a message names, without the message that is replied to if it was deleted before this place in the order
 * of the channel.
 */
export async function withTargetNow(
  { sql }: Transaction,
  { channelId, replyTo }: StoredMessage,
  named: Named,
): Promise<Named> {
  if (replyTo === '') return named;
  const target = await selectMessage(sql, channelId, replyTo);
  return { ...named, targets: new Map(target === undefined ? [] : [[target.id, target]]) };
}
