import type { Id, SessionClient } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import type { SessionsTable } from './tables.ts';

export interface NewSession {
  readonly id: Id;
  readonly userId: Id;
  readonly secretHash: string;
  readonly client: SessionClient | undefined;
  readonly addressHint: string;
  readonly nowMs: number;
}

export async function insertSession(
  db: Writer,
  { id, userId, secretHash, client, addressHint, nowMs }: NewSession,
): Promise<SessionsTable> {
  return await db
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      secret_hash: secretHash,
      former_hash: '',
      former_until_ms: 0,
      client_name: client?.name ?? '',
      client_platform: client?.platform ?? '',
      address_hint: addressHint,
      created_at_ms: nowMs,
      last_used_at_ms: nowMs,
      ended_at_ms: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Reads what decides whether the tokens of these sessions are accepted. */
export async function selectSecrets(db: Reader, ids: readonly Id[]) {
  return await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.secret_hash',
      'sessions.former_hash',
      'sessions.former_until_ms',
      'sessions.last_used_at_ms',
      'sessions.ended_at_ms',
      'users.state',
      'users.staff_permissions',
      'users.totp_since_ms',
    ])
    .where('sessions.id', 'in', ids)
    .execute();
}

export type SessionSecrets = Readonly<Awaited<ReturnType<typeof selectSecrets>>[number]>;

/** Keeps a session, and its user's account, as they are until the transaction ends. False if one of them has ended. */
export async function lockSession(db: Writer, id: Id, userId: Id): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('sessions.id', '=', id)
    .where('users.id', '=', userId)
    .where('sessions.ended_at_ms', '=', 0)
    .where('users.state', '=', 'active')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** The sessions of a user that have not ended, the one used last first. */
export async function selectSessions(db: Reader, userId: Id): Promise<readonly SessionsTable[]> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at_ms', '=', 0)
    .orderBy('last_used_at_ms', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** A session that has not ended. */
export async function selectSession(db: Reader, id: Id): Promise<SessionsTable | undefined> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('ended_at_ms', '=', 0)
    .executeTakeFirst();
}

/** Which of these sessions have not ended and belong to active users. */
export async function selectLastingSessions(
  db: Reader,
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('sessions.id', 'in', ids)
    .where('sessions.ended_at_ms', '=', 0)
    .where('users.state', '=', 'active')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Resolves with whether a user has used a session from a network since a moment. */
export async function wasUsedFrom(
  db: Reader,
  { userId, network }: { readonly userId: Id | undefined; readonly network: string },
  sinceMs: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId ?? NO_ID)
    .where('address_hint', '=', network)
    .where('last_used_at_ms', '>', sinceMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends sessions of a user. Returns the ids of those that had not ended. */
export async function endSessions(
  db: Writer,
  userId: Id,
  { ids, nowMs }: { readonly ids: readonly Id[]; readonly nowMs: number },
): Promise<readonly Id[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .updateTable('sessions')
    .set({ ended_at_ms: nowMs })
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .where('ended_at_ms', '=', 0)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export interface NewSecret {
  /** The one that it replaces; undefined for any. */
  readonly fromHash?: string;
  readonly secretHash: string;
  /** Until when the former one is accepted, in Unix milliseconds. */
  readonly formerUntilMs: number;
}

/** Gives a session a new secret. False if the session has ended, or has another secret than the one to replace. */
export async function replaceSecret(
  db: Writer,
  id: Id,
  { fromHash, secretHash, formerUntilMs }: NewSecret,
): Promise<boolean> {
  let query = db
    .updateTable('sessions')
    .set((expressions) => ({
      former_hash: expressions.ref('secret_hash'),
      former_until_ms: formerUntilMs,
      secret_hash: secretHash,
    }))
    .where('id', '=', id)
    .where('ended_at_ms', '=', 0);
  if (fromHash !== undefined) query = query.where('secret_hash', '=', fromHash);
  return (await query.returning('id').executeTakeFirst()) !== undefined;
}

/** Notes when, and from where, sessions were used. */
export async function touchSessions(
  db: Writer,
  uses: ReadonlyMap<Id, string>,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set((expressions) => ({
      last_used_at_ms: nowMs,
      address_hint: [...uses]
        .reduce(
          (cases, [id, hint]) => cases.when('id', '=', id).then(hint),
          expressions.case().when('id', '=', NO_ID).then(''),
        )
        .else(expressions.ref('address_hint'))
        .end(),
    }))
    .where('id', 'in', [...uses.keys()])
    .where('ended_at_ms', '=', 0)
    .execute();
}

const KEYS = 'current';

/** The keys of tokens, as JSON. */
export async function selectKeys(db: Reader): Promise<string | undefined> {
  const row = await db
    .selectFrom('token_keys')
    .select('keys')
    .where('name', '=', KEYS)
    .executeTakeFirst();
  return row?.keys;
}

/** Adds the keys; false if there are some. */
export async function insertKeys(db: Writer, keys: string): Promise<boolean> {
  const row = await db
    .insertInto('token_keys')
    .values({ name: KEYS, keys })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces the keys; false if they are no longer the old ones. */
export async function updateKeys(
  db: Writer,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const row = await db
    .updateTable('token_keys')
    .set({ keys: to })
    .where('name', '=', KEYS)
    .where('keys', '=', from)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the first sessions, of anybody, whose ids follow this one. Returns which, in no order. */
export async function endNextSessions(
  db: Writer,
  { after, limit, nowMs }: { readonly after: Id; readonly limit: number; readonly nowMs: number },
): Promise<readonly Id[]> {
  const rows = await db
    .updateTable('sessions')
    .set({ ended_at_ms: nowMs })
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('id', '>', after)
        .where('ended_at_ms', '=', 0)
        .orderBy('id')
        .limit(limit),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
