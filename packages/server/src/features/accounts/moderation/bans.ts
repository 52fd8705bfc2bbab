import { NotFoundError } from '@hearth/protocol';
import { tooMany } from '../../../too-many.ts';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Term } from '../../../restrictions.ts';
import { formatClientRange, parseClientRange, type ClientRange } from '../../../client-range.ts';
import { randomLetters } from '../../../lib/random-letters.ts';
import type { Writer } from '../../../ports/database/database.ts';
import { selectBans, upsertBan, deleteBan, deleteEndedBans, countBans, type Ban } from './store.ts';

const BAN_ID_LENGTH = 8;

/** The largest number of bans: every process holds all of them in memory. */
const MOST_BANS = 10_000;

/** The bans that have not ended, the oldest first. Throws ForbiddenError. */
export async function listBans(
  { database, clock }: Context,
  actor: Actor,
): Promise<readonly Ban[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return selectBans(database.reader, clock.unixMs());
}

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

/** The id of a new ban: short enough to type, and never an address. */
export function newBanId(): string {
  return randomLetters(BAN_ID_LENGTH);
}

/** Deletes the bans that have ended. Throws ConflictError if there is no room for another one. */
export async function requireRoom(db: Writer, nowMs: number): Promise<void> {
  await deleteEndedBans(db, nowMs);
  if ((await countBans(db)) < MOST_BANS) return;
  throw tooMany('bans', MOST_BANS);
}
