import { ForbiddenError } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { selectBan, selectBansOf, type BanKey } from './ban-store.ts';
import { memberKey } from './known-members.ts';
import type { MemberPair } from './new-members-store.ts';

/** Whether somebody is banned from a community, as it is in a transaction that has locked the community. */
export async function isBanned(db: Reader, key: BanKey): Promise<boolean> {
  return (await selectBan(db, key)) !== undefined;
}

/** Throws ForbiddenError, with the end of the ban if it has one, if somebody is banned from a community. */
export async function requireNoBan(db: Reader, key: BanKey): Promise<void> {
  const ban = await selectBan(db, key);
  if (ban === undefined) return;
  throw bannedUntil(ban.expires_at_ms);
}

/** The errors of those who are banned from the communities, by the keys of their memberships. */
export async function bansOf(
  tx: Transaction,
  keys: readonly MemberPair[],
  nowMs: number,
): Promise<ReadonlyMap<string, ForbiddenError>> {
  const bans = await selectBansOf(tx, keys, nowMs);
  return new Map(
    bans.map(({ communityId, userId, expiresAtMs }) => [
      memberKey(communityId, userId),
      bannedUntil(expiresAtMs),
    ]),
  );
}

function bannedUntil(until: number): ForbiddenError {
  return new ForbiddenError({ code: 'banned_here', ...(until > 0 && { until }) });
}
