import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { WaitingInvitesTable } from './tables.ts';

/** When accounts were registered with the invites of a person, as far as that is remembered, in Unix milliseconds. */
export async function selectRegisteredAt(db: Reader, makerId: Id): Promise<readonly number[]> {
  const row = await db
    .selectFrom('invite_makers')
    .select('registered_at')
    .where('user_id', '=', makerId)
    .executeTakeFirst();
  return row === undefined ? [] : JSON.parse(row.registered_at);
}

/** Replaces when accounts were registered with the invites of a person. */
export async function upsertRegisteredAt(
  db: Writer,
  makerId: Id,
  timesMs: readonly number[],
): Promise<void> {
  const row = { registered_at: JSON.stringify(timesMs), last_at_ms: Math.max(...timesMs) };
  await db
    .insertInto('invite_makers')
    .values({ user_id: makerId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

/** Forgets people with whose invites nobody was registered after a moment. */
export async function deletePastMakers(db: Writer, beforeMs: number): Promise<void> {
  await db.deleteFrom('invite_makers').where('last_at_ms', '<=', beforeMs).execute();
}

/** Counts an account that was registered with an invite. */
export async function addRegistration(db: Writer, code: string): Promise<void> {
  await db
    .updateTable('community_invites')
    .set((own) => ({ registrations: own('registrations', '+', 1) }))
    .where('code', '=', code)
    .execute();
}

/** Gives back a use of an invite, if it is still remembered. */
export async function returnUse(db: Writer, code: string): Promise<void> {
  await db
    .updateTable('community_invites')
    .set((own) => ({ uses: own('uses', '-', 1) }))
    .where('code', '=', code)
    .where('uses', '>', 0)
    .execute();
}

/** A membership that somebody gets when they are approved. */
export type WaitingInvite = Omit<WaitingInvitesTable, 'role_ids'> & {
  readonly role_ids: readonly Id[];
};

/** Keeps what somebody who waits for approval joins then. */
export async function insertWaiting(db: Writer, waiting: WaitingInvite): Promise<void> {
  await db
    .insertInto('waiting_invites')
    .values({ ...waiting, role_ids: JSON.stringify(waiting.role_ids) })
    .execute();
}

/** Finds the membership that somebody gets when they are approved; undefined if none. */
export async function selectWaiting(db: Reader, userId: Id): Promise<WaitingInvite | undefined> {
  const row = await db
    .selectFrom('waiting_invites')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row === undefined ? undefined : waitingOf(row);
}

/** Forgets what somebody joins, and returns it; undefined if there is nothing. */
export async function takeWaiting(db: Writer, userId: Id): Promise<WaitingInvite | undefined> {
  const row = await db
    .deleteFrom('waiting_invites')
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : waitingOf(row);
}

/** Lets nobody join with an invite when they are approved. */
export async function deleteWaitingWith(db: Writer, code: string): Promise<void> {
  await db.deleteFrom('waiting_invites').where('code', '=', code).execute();
}

function waitingOf({ role_ids, ...row }: WaitingInvitesTable): WaitingInvite {
  return { ...row, role_ids: JSON.parse(role_ids) };
}
