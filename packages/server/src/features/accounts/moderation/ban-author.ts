import { NotFoundError, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Term } from '../../../restrictions.ts';
import { newBanId, requireRoom } from './bans.ts';
import { deleteBanRequest, insertBanRequest, selectBan, type Ban } from './store.ts';

/** The time in milliseconds that the running processes may take to answer. */
const ANSWERED_BY_MS = 1_000;
const POLL_MS = 50;

/**
 * Bans the client that posted a message. Only the process that took the message knows it, and only for an hour, so this
 * leaves a request and waits for the ban. Throws ForbiddenError, NotFoundError if no running process knows the client,
 * and ConflictError if there are too many bans.
 */
export async function banAuthor(
  { database, clock }: Context,
  actor: Actor,
  { messageId, term }: { readonly messageId: Id; readonly term: Term },
): Promise<Ban> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const id = newBanId();
  const createdAtMs = clock.unixMs();
  await database.transaction(async (tx) => {
    await requireRoom(tx.sql, createdAtMs);
    await insertBanRequest(tx.sql, { id, messageId, createdAtMs, ...term });
    tx.changed('moderation', 'ban_requests');
  });
  const giveUpAt = clock.monotonicMs() + ANSWERED_BY_MS;
  while (clock.monotonicMs() < giveUpAt) {
    const ban = await selectBan(database.reader, id);
    if (ban !== undefined) return ban;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const isWithdrawn = await database.transaction(({ sql }) => deleteBanRequest(sql, id));
  const ban = isWithdrawn ? undefined : await selectBan(database.reader, id);
  if (ban === undefined) throw new NotFoundError();
  return ban;
}
