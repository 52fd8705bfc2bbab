import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { lockSetting } from '../../platform/settings/settings.ts';
import { NO_PERMISSIONS } from '../users/users.ts';
import type { Term } from '../../../restrictions.ts';
import type { RegistrationBlocksTable, RegistrationInvitesTable } from './tables.ts';

export interface Invite {
  readonly code: string;
  readonly purpose: RegistrationInvitesTable['purpose'];
  /** Absent if it may be used without a limit. */
  readonly most_uses?: number;
  readonly uses: number;
  readonly created_at: number;
  readonly expires_at?: number;
  readonly note?: string;
}

export interface RegistrationBlock extends Term {
  readonly id: string;
  readonly kind: RegistrationBlocksTable['kind'];
  readonly value: string;
  readonly created_at: number;
}

/** A setting that is locked while what this feature bounds becomes more. */
const LOCK_SETTING = 'registration_lock';

/** Lets every other transaction that adds to a bounded list wait, so that two together do not pass its bound. */
export function lockRegistration(db: Writer): Promise<void> {
  return lockSetting(db, LOCK_SETTING);
}

/** Resolves with whether an account has a permission of the staff. */
export async function hasStaff(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('staff_permissions', '!=', NO_PERMISSIONS)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds an invite, unless it would be a second one of the owner. */
export async function insertInvite(db: Writer, invite: Invite): Promise<void> {
  await db
    .insertInto('registration_invites')
    .values({
      code: invite.code,
      purpose: invite.purpose,
      most_uses: invite.most_uses ?? 0,
      uses: invite.uses,
      created_at_ms: invite.created_at,
      expires_at_ms: invite.expires_at ?? 0,
      note: invite.note ?? '',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The invite with this code, if it can still be used. */
export async function selectUsableInvite(
  db: Reader,
  code: string,
  nowMs: number,
): Promise<Invite | undefined> {
  const row = await db
    .selectFrom('registration_invites')
    .selectAll()
    .where('code', '=', code)
    .where((where) =>
      where.or([where('most_uses', '=', 0), where('uses', '<', where.ref('most_uses'))]),
    )
    .where((where) =>
      where.or([where('expires_at_ms', '=', 0), where('expires_at_ms', '>', nowMs)]),
    )
    .executeTakeFirst();
  return row === undefined ? undefined : inviteOf(row);
}

/** Uses an invite once; false if it cannot be used any more. That of the owner is gone then. */
export async function useInvite(db: Writer, code: string, nowMs: number): Promise<boolean> {
  const row = await db
    .updateTable('registration_invites')
    .set((own) => ({ uses: own('uses', '+', 1) }))
    .where('code', '=', code)
    .where((where) =>
      where.or([where('most_uses', '=', 0), where('uses', '<', where.ref('most_uses'))]),
    )
    .where((where) =>
      where.or([where('expires_at_ms', '=', 0), where('expires_at_ms', '>', nowMs)]),
    )
    .returning('purpose')
    .executeTakeFirst();
  if (row?.purpose === 'owner') await deleteOwnerInvite(db);
  return row !== undefined;
}

/** The newest invites, the newest first, without that of the owner. */
export async function selectInvites(db: Reader, limit: number): Promise<readonly Invite[]> {
  const rows = await db
    .selectFrom('registration_invites')
    .selectAll()
    .where('purpose', '=', 'member')
    .orderBy('created_at_ms', 'desc')
    .orderBy('code')
    .limit(limit)
    .execute();
  return rows.map(inviteOf);
}

/** Removes an invite and returns it; undefined if there is none with this code. */
export async function deleteInvite(db: Writer, code: string): Promise<Invite | undefined> {
  const row = await db
    .deleteFrom('registration_invites')
    .where('code', '=', code)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : inviteOf(row);
}

/**
 * Forgets invites that expired before this moment, and those that were used up and made before it. Returns how many others
 * there are, without that of the owner.
 */
export async function deletePastInvites(db: Writer, beforeMs: number): Promise<number> {
  await db
    .deleteFrom('registration_invites')
    .where('purpose', '=', 'member')
    .where((own) =>
      own.or([
        own.and([own('expires_at_ms', '>', 0), own('expires_at_ms', '<=', beforeMs)]),
        own.and([
          own('most_uses', '>', 0),
          own('uses', '>=', own.ref('most_uses')),
          own('created_at_ms', '<=', beforeMs),
        ]),
      ]),
    )
    .execute();
  const { count } = await db
    .selectFrom('registration_invites')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('purpose', '=', 'member')
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function selectOwnerInvite(db: Reader): Promise<Invite | undefined> {
  const row = await db
    .selectFrom('registration_invites')
    .selectAll()
    .where('purpose', '=', 'owner')
    .executeTakeFirst();
  return row === undefined ? undefined : inviteOf(row);
}

/** Removes the invite of the owner, if there is one. */
export async function deleteOwnerInvite(db: Writer): Promise<void> {
  await db.deleteFrom('registration_invites').where('purpose', '=', 'owner').execute();
}

/** Keeps what somebody answered who waits for approval. */
export async function insertRequest(db: Writer, userId: Id, answer: string): Promise<void> {
  await db.insertInto('registration_requests').values({ user_id: userId, answer }).execute();
}

/** Resolves with whether as many people wait for approval. */
export async function hasRequests(db: Reader, count: number): Promise<boolean> {
  const rows = await db
    .selectFrom('registration_requests')
    .select('user_id')
    .limit(count)
    .execute();
  return rows.length >= count;
}

/** Reads the answer of a person who waits for approval. */
export async function selectAnswer(db: Reader, userId: Id): Promise<string | undefined> {
  const row = await db
    .selectFrom('registration_requests')
    .select('answer')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.answer;
}

/** Forgets what somebody answered. */
export async function deleteRequest(db: Writer, userId: Id): Promise<void> {
  await db.deleteFrom('registration_requests').where('user_id', '=', userId).execute();
}

/** Finds one of these values that is blocked. */
export async function selectBlockOf(
  db: Reader,
  kind: RegistrationBlock['kind'],
  { values, nowMs }: { readonly values: readonly string[]; readonly nowMs: number },
): Promise<RegistrationBlock | undefined> {
  if (values.length === 0) return undefined;
  const row = await db
    .selectFrom('registration_blocks')
    .selectAll()
    .where('kind', '=', kind)
    .where('value', 'in', values)
    .where((where) => where.or([where('until_ms', '=', 0), where('until_ms', '>', nowMs)]))
    .executeTakeFirst();
  return row === undefined ? undefined : blockOf(row);
}

/** The oldest blocks that have not ended, the oldest first. */
export async function selectBlocks(
  db: Reader,
  { limit, nowMs }: { readonly limit: number; readonly nowMs: number },
): Promise<readonly RegistrationBlock[]> {
  const rows = await db
    .selectFrom('registration_blocks')
    .selectAll()
    .where((where) => where.or([where('until_ms', '=', 0), where('until_ms', '>', nowMs)]))
    .orderBy('created_at_ms')
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map(blockOf);
}

/** Adds a block. It takes the place of an earlier one of the same value. */
export async function upsertBlock(
  db: Writer,
  { id, kind, value, created_at, until = 0, reason = '' }: RegistrationBlock,
): Promise<void> {
  const values = { key: id, kind, created_at_ms: created_at, until_ms: until, reason };
  await db
    .insertInto('registration_blocks')
    .values({ value, ...values })
    .onConflict((conflict) => conflict.column('value').doUpdateSet(values))
    .execute();
}

/** Deletes the block with this id or value. Returns the value; undefined if there is none. */
export async function deleteBlock(db: Writer, idOrValue: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('registration_blocks')
    .where((where) => where.or([where('key', '=', idOrValue), where('value', '=', idOrValue)]))
    .returning('value')
    .executeTakeFirst();
  return row?.value;
}

export async function deleteEndedBlocks(db: Writer, nowMs: number): Promise<void> {
  await db
    .deleteFrom('registration_blocks')
    .where('until_ms', '>', 0)
    .where('until_ms', '<=', nowMs)
    .execute();
}

function inviteOf(row: RegistrationInvitesTable): Invite {
  const { most_uses: mostUses, expires_at_ms: expiresAtMs } = row;
  return {
    code: row.code,
    purpose: row.purpose,
    ...(mostUses > 0 && { most_uses: mostUses }),
    uses: row.uses,
    created_at: row.created_at_ms,
    ...(expiresAtMs > 0 && { expires_at: expiresAtMs }),
    ...(row.note !== '' && { note: row.note }),
  };
}

function blockOf(row: RegistrationBlocksTable): RegistrationBlock {
  const untilMs = row.until_ms;
  return {
    id: row.key,
    kind: row.kind,
    value: row.value,
    created_at: row.created_at_ms,
    ...(untilMs > 0 && { until: untilMs }),
    ...(row.reason !== '' && { reason: row.reason }),
  };
}
