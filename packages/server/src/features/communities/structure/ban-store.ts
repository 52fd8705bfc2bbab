import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { MemberPair } from './new-members-store.ts';
import type { CommunityBansTable } from './tables.ts';

/** A person, a community and a moment. */
export interface BanKey extends MemberPair {
  readonly nowMs: number;
}

/** A place in the list of the bans of a community. */
export interface BanPlace {
  readonly created_at: number;
  readonly user_id: Id;
}

/** The ban of a user that has not expired. */
export async function selectBan(
  db: Reader,
  { communityId, userId, nowMs }: BanKey,
): Promise<CommunityBansTable | undefined> {
  return await unexpired(db, nowMs)
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

const OF_MANY = `select bans.community_id as "communityId", bans.user_id as "userId", bans.expires_at_ms as "expiresAtMs" from given
  join community_bans bans on bans.community_id = given.community_id and bans.user_id = given.user_id
  where bans.expires_at_ms = 0 or bans.expires_at_ms > given.now_ms`;

/** The bans of these users that have not expired, in no order. */
export async function selectBansOf(
  tx: Transaction,
  keys: readonly MemberPair[],
  nowMs: number,
): Promise<readonly (MemberPair & { readonly expiresAtMs: number })[]> {
  return await tx.many({
    text: OF_MANY,
    columns: { community_id: 'text', user_id: 'text', now_ms: 'bigint' },
    rows: keys.map(({ communityId, userId }) => [communityId, userId, nowMs]),
  });
}

/** Bans of a community that have not expired, the newest first. */
export async function selectBans(
  db: Reader,
  communityId: Id,
  {
    after,
    limit,
    nowMs,
  }: { readonly after: BanPlace | undefined; readonly limit: number; readonly nowMs: number },
): Promise<readonly CommunityBansTable[]> {
  let query = unexpired(db, nowMs).where('community_id', '=', communityId);
  if (after !== undefined) {
    query = query.where((own) =>
      own(
        own.refTuple('created_at_ms', 'user_id'),
        '<',
        own.tuple(after.created_at, after.user_id),
      ),
    );
  }
  return await query
    .orderBy('created_at_ms', 'desc')
    .orderBy('user_id', 'desc')
    .limit(limit)
    .execute();
}

/** Adds a ban, or replaces what it says. An expired ban counts as none. */
export async function upsertBan(db: Writer, ban: CommunityBansTable): Promise<void> {
  const { community_id: _community, user_id: _user, ...said } = ban;
  await db
    .insertInto('community_bans')
    .values(ban)
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet(said))
    .execute();
}

export async function deleteBan(db: Writer, { communityId, userId }: MemberPair): Promise<void> {
  await db
    .deleteFrom('community_bans')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .execute();
}

/** Forgets bans that have expired. */
export async function deleteExpired(db: Writer, nowMs: number): Promise<void> {
  await db
    .deleteFrom('community_bans')
    .where('expires_at_ms', '>', 0)
    .where('expires_at_ms', '<=', nowMs)
    .execute();
}

function unexpired(db: Reader, nowMs: number) {
  return db
    .selectFrom('community_bans')
    .selectAll()
    .where((own) => own.or([own('expires_at_ms', '=', 0), own('expires_at_ms', '>', nowMs)]));
}
