import { NotFoundError, INVITE_CODE_LENGTH } from '@hearth/protocol';
import { tooMany } from '../../../too-many.ts';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { randomLetters } from '../../../lib/random-letters.ts';
import {
  deletePastInvites,
  insertInvite,
  lockRegistration,
  selectInvites,
  deleteInvite,
  hasStaff,
  selectOwnerInvite,
  type Invite,
} from './store.ts';

/** Base 58: letters and digits without those that look the same. */
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The time in milliseconds for which an invite that has expired or was used up is listed. */
const LISTED_MS = 30 * 86_400_000;

/** As many as are listed. */
const MOST_INVITES = 1_000;

export interface InviteRequest {
  /** The number of times that it may be used; without a limit if undefined. */
  readonly mostUses: number | undefined;
  /** When it expires, in Unix milliseconds; never if undefined. */
  readonly expiresAtMs: number | undefined;
  /** A note of the owner about it. */
  readonly note: string;
}

/** Makes an invite to register an account. Throws ForbiddenError, and ConflictError if there are too many. */
export async function createInvite(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  { mostUses, expiresAtMs, note }: InviteRequest,
): Promise<Invite> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const nowMs = clock.unixMs();
  const invite: Invite = {
    code: newInviteCode(),
    purpose: 'member',
    uses: 0,
    created_at: nowMs,
    ...(mostUses !== undefined && { most_uses: mostUses }),
    ...(expiresAtMs !== undefined && { expires_at: expiresAtMs }),
    ...(note !== '' && { note }),
  };
  await database.transaction(async ({ sql }) => {
    await lockRegistration(sql);
    const count = await deletePastInvites(sql, nowMs - LISTED_MS);
    // Those that cannot be used any more go earlier if they are in the way.
    if (count >= MOST_INVITES && (await deletePastInvites(sql, nowMs)) >= MOST_INVITES) {
      throw tooMany('instance_invites', MOST_INVITES);
    }
    await insertInvite(sql, invite);
  });
  return invite;
}

/** The newest 1,000 invites, the newest first, without that of the owner's account. Throws ForbiddenError. */
export async function listInvites(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
): Promise<readonly Invite[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  return await selectInvites(database.reader, MOST_INVITES);
}

/** Removes an invite and returns it. Accounts that were registered with it stay. Throws ForbiddenError and NotFoundError. */
export async function revokeInvite(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  code: string,
): Promise<Invite> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  return await database.transaction(async ({ sql }) => {
    const invite = await deleteInvite(sql, code);
    if (invite === undefined) throw new NotFoundError();
    return invite;
  });
}

/**
 * The code of the invite that makes the owner's account, as long as no account has any permission of the staff. Every
 * process and every start has the same one until it is used.
 */
export async function ownerInvite({
  database,
  clock,
}: Pick<Context, 'database' | 'clock'>): Promise<string | undefined> {
  if (await hasStaff(database.reader)) return undefined;
  const known = await selectOwnerInvite(database.reader);
  if (known !== undefined) return known.code;
  const created_at = clock.unixMs();
  return await database.transaction(async ({ sql }) => {
    await insertInvite(sql, {
      code: newInviteCode(),
      purpose: 'owner',
      most_uses: 1,
      uses: 0,
      created_at,
    });
    // Another process may have been faster.
    return (await selectOwnerInvite(sql))?.code;
  });
}

/** A new code of an invite: 70 random bits. */
export function newInviteCode(): string {
  return randomLetters(INVITE_CODE_LENGTH, LETTERS);
}
