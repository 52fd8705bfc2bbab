import { idAfter, NotFoundError, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { KeepsHistory } from './message-history.ts';
import { onceWritten } from './once-written.ts';

/** The message with this id, even if it was posted a moment ago. Throws ForbiddenError and NotFoundError. */
export async function findMessage(
  ctx: Pick<Context, 'clock'> & KeepsHistory,
  actor: Actor,
  id: Id,
): Promise<LobbyMessage> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const found = await onceWritten(ctx.clock, async () => {
    const [message] = await ctx.history.list({ before: idAfter(id), limit: 1 });
    return message?.id === id ? message : undefined;
  });
  if (found === undefined) throw new NotFoundError();
  return found;
}
