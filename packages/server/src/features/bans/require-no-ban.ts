import { ForbiddenError } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { selectBan, type BanKey } from './store.ts';

/** Whether somebody is banned from a community, as it is in a transaction that has locked the community. */
export async function isBanned(db: Reader, key: BanKey): Promise<boolean> {
  return (await selectBan(db, key)) !== undefined;
}

/** Throws ForbiddenError, with the end of the ban if it has one, if somebody is banned from a community. */
export async function requireNoBan(db: Reader, key: BanKey): Promise<void> {
  const ban = await selectBan(db, key);
  if (ban === undefined) return;
  const until = ban.expiresAtMs;
  throw new ForbiddenError({ code: 'banned_here', ...(until > 0 && { until }) });
}
