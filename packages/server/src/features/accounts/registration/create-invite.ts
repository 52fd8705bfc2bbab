import { ConflictError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { newInviteCode } from './invite-code.ts';
import { deletePastInvites, insertInvite, lockRegistration, type Invite } from './store.ts';

/** How long an invite that has expired or was used up is listed, in milliseconds. */
const LISTED_MS = 30 * 86_400_000;

/** As many as are listed. */
const MOST_INVITES = 1_000;

/** What an invite allows. */
export interface InviteRequest {
  /** How often it may be used; without a limit if undefined. */
  readonly mostUses: number | undefined;
  /** When it expires, in Unix milliseconds; never if undefined. */
  readonly expiresAtMs: number | undefined;
  /** What the owner wants to remember about it. */
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
      throw tooMany();
    }
    await insertInvite(sql, invite);
  });
  return invite;
}

function tooMany(): ConflictError {
  return new ConflictError(
    { code: 'too_many', field_name: 'instance_invites' },
    { most: MOST_INVITES },
  );
}
