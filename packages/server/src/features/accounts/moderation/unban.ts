import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { formatClientRange, parseClientRange } from '../../../client-range.ts';
import { deleteBan, deleteEndedBans } from './store.ts';

/**
 * Lifts a ban, given by its id or by the same address or range. Returns the clients that were banned. Throws
 * ForbiddenError and NotFoundError.
 */
export async function unban(
  { database, clock }: Context,
  actor: Actor,
  given: string,
): Promise<string> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const range = parseClientRange(given);
  return database.transaction(async (tx) => {
    await deleteEndedBans(tx.sql, clock.unixMs());
    const clients = await deleteBan(tx.sql, range === undefined ? given : formatClientRange(range));
    if (clients === undefined) throw new NotFoundError();
    tx.changed('moderation', 'bans');
    return clients;
  });
}
