import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Term } from '../../../restrictions.ts';
import { newBanId } from './ban-id.ts';
import { formatClientRange, type ClientRange } from '../../../client-range.ts';
import { requireRoom } from './require-room.ts';
import { upsertBan, type Ban } from './store.ts';

/**
 * Bans the clients of an address or a range. It takes the place of an earlier ban of the same ones. Throws
 * ForbiddenError, and ConflictError if there are too many bans.
 */
export async function banClients(
  { database, clock }: Context,
  actor: Actor,
  { range, term }: { readonly range: ClientRange; readonly term: Term },
): Promise<Ban> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const created_at = clock.unixMs();
  const ban: Ban = { id: newBanId(), clients: formatClientRange(range), created_at, ...term };
  await database.transaction(async (tx) => {
    await requireRoom(tx.sql, created_at);
    await upsertBan(tx.sql, ban);
    tx.changed('moderation', 'bans');
  });
  return ban;
}
