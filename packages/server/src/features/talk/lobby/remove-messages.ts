import type { Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { eraseMessages } from './changes/store.ts';
import { emitChanges } from './emit-change.ts';

/**
 * The number of messages that a transaction removes, with a few statements each: a transaction has 2.5 s, also on a
 * busy machine. The instance writes new messages between two of them.
 */
const BATCH_MESSAGES = 20;

/**
 * Removes messages from the history of an instance, which may be running, and from the clients that show them: a batch
 * after the other, each of which takes effect at once. Returns those that were there. Throws ForbiddenError.
 */
export async function removeMessages(
  ctx: Context,
  actor: Actor,
  ids: readonly Id[],
): Promise<readonly Id[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const removed: Id[] = [];
  for (let from = 0; from < ids.length; from += BATCH_MESSAGES) {
    const batch = ids.slice(from, from + BATCH_MESSAGES);
    const erased = await ctx.database.transaction(async (tx) => {
      const those = await eraseMessages(tx.sql, batch);
      await emitChanges(
        tx,
        those.map((id) => ({ op: 'MESSAGE_DELETE', d: { id } })),
      );
      return those;
    });
    removed.push(...erased);
  }
  return removed;
}
