import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { removingMessages } from './files.ts';
import { lockMessagesWithFiles } from './store.ts';

/** How many messages are removed in one transaction. */
const MESSAGES_AT_ONCE = 100;

/** Removes the messages with files of a channel that was deleted. It can be interrupted and repeated. */
export async function purgeFiles(
  ctx: Context,
  { channelId, signal }: { readonly channelId: Id; readonly signal: AbortSignal },
): Promise<void> {
  for (let count = MESSAGES_AT_ONCE; count === MESSAGES_AT_ONCE;) {
    signal.throwIfAborted();
    count = await removingMessages(ctx, (remove) =>
      ctx.database.transaction(async (tx) => {
        const messages = await lockMessagesWithFiles(tx.sql, channelId, MESSAGES_AT_ONCE);
        await remove(tx, messages);
        return messages.length;
      }),
    );
  }
}
