import { ForbiddenError } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { selectBan, selectBansOf, type BanKey } from './ban-store.ts';
import type { MemberPair } from './new-members-store.ts';
import { selectTimedOut, selectTimeOut } from './time-outs-store.ts';
import { memberKey } from './known-members.ts';

/** A ban, or a time-out, that keeps somebody who is not a member of a community from more than reading there. */
export interface Exclusion {
  readonly isBanned: boolean;
  /** The end of the time-out with which they left; 0 if there was none. */
  readonly timedOutUntilMs: number;
}

/** Nothing. */
export const NOT_EXCLUDED: Exclusion = { isBanned: false, timedOutUntilMs: 0 };

/** Reads what keeps somebody from more, as it is in a transaction that has locked the community. */
export async function readExclusion(db: Reader, key: BanKey): Promise<Exclusion> {
  const ban = await selectBan(db, key);
  return { isBanned: ban !== undefined, timedOutUntilMs: await selectTimeOut(db, key) };
}

/** Reads which of several people something keeps from more, as a transaction finds it. */
export async function readExcluded(
  tx: Transaction,
  people: readonly MemberPair[],
  nowMs: number,
): Promise<readonly MemberPair[]> {
  if (people.length === 0) return [];
  return [...(await selectBansOf(tx, people, nowMs)), ...(await selectTimedOut(tx, people, nowMs))];
}

/**
 * Resolves with whether somebody is banned from a community, as it is in a transaction that has locked the community.
 */
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
