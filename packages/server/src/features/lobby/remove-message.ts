import { LOBBY_STREAM, NotFoundError, type Id, type StreamEvent } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { INSTANCE, requirePermission } from '../../permissions.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { eraseMessage } from './store.ts';

/** How long a running instance may take to write what was posted a moment ago. */
const WRITTEN_BY_MS = 1_000;
const POLL_MS = 50;

/**
 * Removes a message from the history of an instance, which may be running, and from the clients that show it. Throws
 * ForbiddenError and NotFoundError.
 */
export async function removeMessage(ctx: Context, actor: Actor, id: Id): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const giveUpAt = ctx.clock.monotonicMs() + WRITTEN_BY_MS;
  while (!(await ctx.database.transaction((tx) => eraseAndEmit(tx, id)))) {
    if (ctx.clock.monotonicMs() > giveUpAt) throw new NotFoundError();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

// A message is dispatched before it is written, so clients are sent it before they are sent its removal.
async function eraseAndEmit(tx: EmittingTransaction, id: Id): Promise<boolean> {
  if (!(await eraseMessage(tx.sql, id))) return false;
  const event: StreamEvent = { op: 'MESSAGE_DELETE', d: { id } };
  await tx.emit({ stream: LOBBY_STREAM, event }, { subject: LOBBY_STREAM });
  return true;
}
