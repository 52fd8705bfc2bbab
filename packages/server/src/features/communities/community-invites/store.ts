import type { Id } from '@hearth/protocol';
import type { ExpressionBuilder } from 'kysely';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { CommunityInvitesTable } from './tables.ts';

export type StoredInvite = Omit<CommunityInvitesTable, 'role_ids'> & {
  readonly role_ids: readonly Id[];
};

/** An invite, also one that cannot be used any more. */
export async function selectInvite(db: Reader, code: string): Promise<StoredInvite | undefined> {
  const row = await db
    .selectFrom('community_invites')
    .selectAll()
    .where('code', '=', code)
    .executeTakeFirst();
  return row === undefined ? undefined : inviteOf(row);
}

interface InviteRange {
  readonly nowMs: number;
  /** Only those that this user made. */
  readonly createdBy?: Id | undefined;
}

/** The invites of a community that can be used, the newest first. */
export async function selectUsable(
  db: Reader,
  communityId: Id,
  { nowMs, createdBy }: InviteRange,
): Promise<readonly StoredInvite[]> {
  let query = db
    .selectFrom('community_invites')
    .selectAll()
    .where('community_id', '=', communityId)
    .where((own) => isUsable(own, nowMs));
  if (createdBy !== undefined) query = query.where('created_by', '=', createdBy);
  const rows = await query.orderBy('created_at_ms', 'desc').orderBy('code').execute();
  return rows.map(inviteOf);
}

/** The invites that somebody made, in no order. */
export async function selectInvitesOf(db: Reader, userId: Id): Promise<readonly StoredInvite[]> {
  const rows = await db
    .selectFrom('community_invites')
    .selectAll()
    .where('created_by', '=', userId)
    .execute();
  return rows.map(inviteOf);
}

export async function insertInvite(db: Writer, invite: StoredInvite): Promise<void> {
  await db
    .insertInto('community_invites')
    .values({ ...invite, role_ids: JSON.stringify(invite.role_ids) })
    .execute();
}

/** Invites by their codes, which no other transaction uses until the end of this one. */
export async function lockInvites(
  { sql }: Transaction,
  codes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredInvite>> {
  const rows = await sql
    .selectFrom('community_invites')
    .selectAll()
    .where('code', 'in', [...codes])
    .orderBy('code')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.code, inviteOf(row)]));
}

const ADD_USES = `update community_invites set uses = uses + given.count, used_at_ms = given.now_ms
  from given where community_invites.code = given.code`;

/** Counts how often invites that are locked are used, by their codes. */
export async function addUses(
  tx: Transaction,
  uses: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<void> {
  if (uses.size === 0) return;
  await tx.runMany({
    text: ADD_USES,
    columns: { code: 'text', count: 'bigint', now_ms: 'bigint' },
    rows: Array.from(uses, ([code, count]) => [code, count, nowMs]),
  });
}

/** Uses an invite once; false if it cannot be used any more. */
export async function useInviteOnce(db: Writer, code: string, nowMs: number): Promise<boolean> {
  const row = await db
    .updateTable('community_invites')
    .set((own) => ({ uses: own('uses', '+', 1), used_at_ms: nowMs }))
    .where('code', '=', code)
    .where((own) => isUsable(own, nowMs))
    .returning('code')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteInvite(db: Writer, code: string): Promise<void> {
  await db.deleteFrom('community_invites').where('code', '=', code).execute();
}

/** Forgets invites that expired, or were used for the last time, before a moment. */
export async function deletePast(db: Writer, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('community_invites')
    .where((own) =>
      own.or([
        own.and([own('expires_at_ms', '>', 0), own('expires_at_ms', '<=', beforeMs)]),
        own.and([
          own('max_uses', '>', 0),
          own('uses', '>=', own.ref('max_uses')),
          own('used_at_ms', '<=', beforeMs),
        ]),
      ]),
    )
    .execute();
}

/** Forgets invites of a community that cannot be used any more, unless they are among the newest of these. */
export async function deleteOldest(
  db: Writer,
  communityId: Id,
  { nowMs, kept }: { readonly nowMs: number; readonly kept: number },
): Promise<void> {
  const past = await db
    .selectFrom('community_invites')
    .select('code')
    .where('community_id', '=', communityId)
    .where((own) => own.not(isUsable(own, nowMs)))
    .orderBy('created_at_ms', 'desc')
    .orderBy('code')
    .execute();
  const codes = past.slice(kept).map(({ code }) => code);
  if (codes.length === 0) return;
  await db.deleteFrom('community_invites').where('code', 'in', codes).execute();
}

type InviteExpressions = ExpressionBuilder<
  { community_invites: CommunityInvitesTable },
  'community_invites'
>;

function isUsable(own: InviteExpressions, nowMs: number) {
  return own.and([
    own.or([own('max_uses', '=', 0), own('uses', '<', own.ref('max_uses'))]),
    own.or([own('expires_at_ms', '=', 0), own('expires_at_ms', '>', nowMs)]),
  ]);
}

function inviteOf({ role_ids, ...row }: CommunityInvitesTable): StoredInvite {
  return { ...row, role_ids: JSON.parse(role_ids) };
}
