import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { BansTable } from './tables.ts';
import type { Pausable, Term } from '../../../restrictions.ts';

/** Restrictions of the owner for everyone. */
export interface StoredRestrictions {
  readonly pauses: Readonly<Partial<Record<Pausable, Term>>>;
  readonly slowModeSeconds?: number;
  readonly accessCode?: string;
}

export interface Ban extends Term {
  readonly id: string;
  /** An address or a range. */
  readonly clients: string;
  readonly created_at: number;
}

export interface BanRequest extends Term {
  readonly id: string;
  readonly messageId: Id;
  readonly createdAtMs: number;
}

/** The names of the rows, and what their JSON holds. */
interface RestrictionValues {
  readonly posting: Term;
  readonly uploads: Term;
  readonly slow_mode: number;
  readonly access_code: string;
}

/** Reads what the owner restricts for everyone. */
export async function selectRestrictions(db: Reader): Promise<StoredRestrictions> {
  const rows = await db.selectFrom('restrictions').selectAll().execute();
  // Guarantee: only `upsertRestriction` writes rows, and it takes values of these types.
  const values = Object.fromEntries(
    rows.map(({ name, value }) => [name, JSON.parse(value)]),
  ) as Partial<RestrictionValues>;
  const { posting, uploads, slow_mode: slowModeSeconds, access_code: accessCode } = values;
  return {
    pauses: { ...(posting && { posting }), ...(uploads && { uploads }) },
    ...(slowModeSeconds !== undefined && { slowModeSeconds }),
    ...(accessCode !== undefined && { accessCode }),
  };
}

export async function upsertRestriction<Name extends keyof RestrictionValues>(
  db: Writer,
  name: Name,
  given: RestrictionValues[Name],
): Promise<void> {
  const value = JSON.stringify(given);
  await db
    .insertInto('restrictions')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Lifts a restriction, if there is one. */
export async function deleteRestriction(db: Writer, name: keyof RestrictionValues): Promise<void> {
  await db.deleteFrom('restrictions').where('name', '=', name).execute();
}

/** All bans that have not ended, the oldest first. */
export async function selectBans(db: Reader, nowMs: number): Promise<readonly Ban[]> {
  const rows = await db
    .selectFrom('bans')
    .selectAll()
    .where((where) => where.or([where('until_ms', '=', 0), where('until_ms', '>', nowMs)]))
    .orderBy('created_at_ms')
    .orderBy('key')
    .execute();
  return rows.map(banOf);
}

export async function selectBan(db: Reader, id: string): Promise<Ban | undefined> {
  const row = await db.selectFrom('bans').selectAll().where('key', '=', id).executeTakeFirst();
  return row === undefined ? undefined : banOf(row);
}

/** Adds a ban. It takes the place of an earlier one of the same clients. */
export async function upsertBan(
  db: Writer,
  { id, clients, created_at, ...term }: Ban,
): Promise<void> {
  const values = { key: id, created_at_ms: created_at, ...termColumns(term) };
  await db
    .insertInto('bans')
    .values({ clients, ...values })
    .onConflict((conflict) => conflict.column('clients').doUpdateSet(values))
    .execute();
}

/** Deletes the ban with this id or of these clients. Returns the clients; undefined if there is no such ban. */
export async function deleteBan(db: Writer, idOrClients: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('bans')
    .where((where) =>
      where.or([where('key', '=', idOrClients), where('clients', '=', idOrClients)]),
    )
    .returning('clients')
    .executeTakeFirst();
  return row?.clients;
}

export async function deleteEndedBans(db: Writer, nowMs: number): Promise<void> {
  await db.deleteFrom('bans').where('until_ms', '>', 0).where('until_ms', '<=', nowMs).execute();
}

export async function countBans(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('bans')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The requests that nobody has answered yet. */
export async function selectBanRequests(db: Reader): Promise<readonly BanRequest[]> {
  const rows = await db.selectFrom('ban_requests').selectAll().execute();
  return rows.map(({ key: id, message_id: messageId, created_at_ms: createdAtMs, ...row }) => {
    return { id, messageId, createdAtMs, ...termOf(row) };
  });
}

export async function insertBanRequest(
  db: Writer,
  { id, messageId, createdAtMs, ...term }: BanRequest,
): Promise<void> {
  await db
    .insertInto('ban_requests')
    .values({ key: id, message_id: messageId, created_at_ms: createdAtMs, ...termColumns(term) })
    .execute();
}

/** Deletes a request; false if another process has done so. */
export async function deleteBanRequest(db: Writer, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('ban_requests')
    .where('key', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

function banOf({ key: id, clients, created_at_ms: createdAtMs, ...row }: BansTable): Ban {
  return { id, clients, created_at: createdAtMs, ...termOf(row) };
}

function termOf({ until_ms: untilMs, reason }: { until_ms: number; reason: string }): Term {
  return {
    ...(untilMs !== 0 && { until: untilMs }),
    ...(reason !== '' && { reason }),
  };
}

function termColumns({ until = 0, reason = '' }: Term) {
  return { until_ms: until, reason };
}
