import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { removingMessages } from './files.ts';
import { lockMessagesWithFiles } from './store.ts';

/** The number of messages that are removed in one transaction. */
const MESSAGES_AT_ONCE = 100;

/** Removes the messages with files of a channel that was deleted. It can be interrupted and repeated. */
export async function purgeFiles(
  ctx: Context,
  { channelId, signal }: { readonly channelId: Id; readonly signal: AbortSignal },
): Promise<void> {
  // Messages without files stay for now, and are read once.
  let after: Id | undefined;
  do {
    signal.throwIfAborted();
    const range = { after, limit: MESSAGES_AT_ONCE };
    after = await removingMessages(ctx, (remove) =>
      ctx.database.transaction(async (tx) => {
        const messages = await lockMessagesWithFiles(tx.sql, channelId, range);
        await remove(tx, messages);
        return messages.at(-1)?.id;
      }),
    );
  } while (after !== undefined);
}
