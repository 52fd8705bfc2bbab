import { compareIds } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { setMarks, type StoredReadState } from './store.ts';

/**
 * Moves the marks of the authors of new messages to them, in the transaction that stores the messages and has locked the channels:
 * no mark is after them. Of several messages of one author in a channel, the last one counts. Clients do the same when they receive
 * a message, so nothing is sent.
 */
export async function markOwn(
  tx: Transaction,
  messages: readonly StoredReadState[],
): Promise<void> {
  const last = new Map(messages.map((each) => [`${each.channelId} ${each.userId}`, each]));
  const marks = [...last.values()].toSorted(
    (one, other) =>
      compareIds(one.userId, other.userId) || compareIds(one.channelId, other.channelId),
  );
  await setMarks(tx, marks);
}
