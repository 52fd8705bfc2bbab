import type { Id } from '@hearth/protocol';
import type { ExpressionBuilder } from 'kysely';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { CommunityInvitesTable } from './tables.ts';

export interface StoredInvite {
  readonly code: string;
  readonly communityId: Id;
  /** Empty if none is shown first. */
  readonly channelId: Id | '';
  /** Empty if that account was deleted. */
  readonly createdBy: Id | '';
  readonly createdAtMs: number;
  readonly uses: number;
  /** 0 if there is no limit. */
  readonly maxUses: number;
  /** 0 for an invite that does not expire. */
  readonly expiresAtMs: number;
  readonly roleIds: readonly Id[];
  /** The number of accounts that were registered with it. */
  readonly registrations: number;
}

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
  let query = usable(db, nowMs).where('community_id', '=', communityId);
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
    .values({
      code: invite.code,
      community_id: invite.communityId,
      channel_id: invite.channelId,
      created_by: invite.createdBy,
      created_at_ms: invite.createdAtMs,
      uses: invite.uses,
      max_uses: invite.maxUses,
      used_at_ms: 0,
      expires_at_ms: invite.expiresAtMs,
      role_ids: JSON.stringify(invite.roleIds),
      registrations: invite.registrations,
    })
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
    .where((own) => own.or([own('max_uses', '=', 0), own('uses', '<', own.ref('max_uses'))]))
    .where((own) => own.or([own('expires_at_ms', '=', 0), own('expires_at_ms', '>', nowMs)]))
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

function usable(db: Reader, nowMs: number) {
  return db
    .selectFrom('community_invites')
    .selectAll()
    .where((own) => isUsable(own, nowMs));
}

function inviteOf(row: CommunityInvitesTable): StoredInvite {
  return {
    code: row.code,
    communityId: row.community_id,
    channelId: row.channel_id,
    createdBy: row.created_by,
    createdAtMs: row.created_at_ms,
    uses: Number(row.uses),
    maxUses: Number(row.max_uses),
    expiresAtMs: row.expires_at_ms,
    roleIds: JSON.parse(row.role_ids),
    registrations: Number(row.registrations),
  };
}
