import type { Registered, Registration } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Counting } from '../../../counting.ts';
import { skeletonOf } from '../../../lib/skeleton.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { addEmailCode } from '../mail-codes/mail-codes.ts';
import type { KeepsProofs } from '../proofs/proofs.ts';
import { admit, settleAdmission, settleCommunityInvite, writingOf } from './admit.ts';
import type { HasJoiningInvites } from './joining-invites.ts';
import { requireNoBlock } from './blocks.ts';
import {
  addressHintOf,
  beginSession,
  prepareSession,
  type KeepsTokens,
} from '../sessions/sessions.ts';
import {
  addAccount,
  describeOwnUser,
  requireUncommonPassword,
  type KeepsPasswords,
} from '../users/users.ts';

/**
 * Registers an account, and signs it in, unless the staff has to approve it. With an invite to a community, the account joins
 * it; if it has to be approved, it does so then. Throws the errors of {@link admit},
 * ValidationError for a common password, ConflictError for a name or address that is taken, and RateLimitedError if too many wait
 * for the community.
 */
export async function register(
  ctx: Context & HasJoiningInvites & KeepsPasswords & KeepsProofs & KeepsTokens,
  actor: Actor,
  registration: Registration & { readonly counting?: Counting },
): Promise<Registered> {
  const { username, email, password, display_name = '' } = registration;
  const { client, language } = registration;
  const admission = await admit(ctx, actor, registration);
  await requireUncommonPassword(password);
  const { state } = admission;
  const password_hash = await ctx.passwords.hash(password);
  const skeleton = await skeletonOf(username);
  const id = await ctx.ids.next();
  const account = {
    id,
    username,
    skeleton,
    display_name,
    email,
    password_hash,
    state,
    staff_permissions: admission.staffPermissions,
    settings: JSON.stringify({ language }),
  };
  const prepared = await prepareSession(ctx, {
    userId: id,
    client,
    addressHint: addressHintOf(actor),
  });
  const work = async (tx: EmittingTransaction): Promise<Registered> => {
    // The password took its time.
    await requireNoBlock(tx.sql, ctx, { actor, email });
    const invite = await settleCommunityInvite(tx, admission);
    const invited_by = invite?.createdBy ?? '';
    const user = describeOwnUser(ctx, await addAccount(tx, ctx, { ...account, invited_by }));
    await settleAdmission(tx, ctx, { userId: id, admission });
    if (state === 'pending') {
      await invite?.joinOnApproval(tx, id);
      return { user, pending: true };
    }
    await addEmailCode(tx, ctx, { id });
    const joined = await invite?.join(tx, id);
    const session = await beginSession(tx, prepared);
    return { user, token: prepared.token, session, ...(joined !== undefined && { joined }) };
  };
  const waiting = writingOf(admission, id);
  // Alone: as many as wait for each other here take far longer to hash their passwords.
  if (waiting === undefined) return await ctx.database.transaction(work);
  return await ctx.database.writeAlone(waiting, work);
}
