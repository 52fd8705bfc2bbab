import { NotFoundError, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { eraseAndEmit } from './emit-change.ts';
import { onceWritten } from './once-written.ts';

/**
 * Removes a message from the history of an instance, which may be running, and from the clients that show it. Throws
 * ForbiddenError and NotFoundError.
 */
export async function removeMessage(ctx: Context, actor: Actor, id: Id): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const erase = async () => {
    const wasThere = await ctx.database.transaction((tx) => eraseAndEmit(tx, id));
    return wasThere || undefined;
  };
  if ((await onceWritten(ctx.clock, erase)) === undefined) throw new NotFoundError();
}
