import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { releasing, type Release } from '../contents/release-content.ts';
import { forgetMailCodes } from '../mail-codes/forget-codes.ts';
import { forgetRequest } from '../registration/requests.ts';
import { forgetFactor } from '../second-factor/forget-factor.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import { dropPictures } from '../users/profile-pictures.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import { clearUser, giveUpNames, type ManagedUser } from './store.ts';

/** How long nobody else can take a name that was given up, in milliseconds. */
const NAME_KEPT_MS = 365 * 86_400_000;

/**
 * Deletes an account: its sessions end, everything that it says of a person is forgotten, its pictures included, and what
 * the person wrote stays under "deleted". Its name becomes free after a year; at once if the account was never approved.
 * Throws ForbiddenError, NotFoundError, and ConflictError if it is deleted already.
 */
export function deleteUser(
  ctx: ManagingContext & Pick<Context, 'blobs' | 'log'>,
  actor: Actor,
  user: string,
): Promise<ManagedUser> {
  return releasing(ctx, (release) =>
    changeManagedUser(ctx, actor, {
      user,
      work: (tx, found) => remove(tx, ctx, { found, release }),
    }),
  );
}

async function remove(
  tx: EmittingTransaction,
  { clock }: ManagingContext,
  { found, release }: { readonly found: ManagedUser; readonly release: Release },
): Promise<void> {
  requireState(found, 'active', 'pending', 'disabled');
  const nowMs = clock.unixMs();
  await endAllSessions(tx, found.id, { nowMs });
  await forgetRequest(tx, found.id);
  await forgetFactor(tx, found.id);
  await forgetMailCodes(tx, found.id);
  const freeAtMs = found.state === 'pending' ? nowMs : nowMs + NAME_KEPT_MS;
  for (const skeleton of await giveUpNames(tx.sql, found.id, freeAtMs)) {
    tx.changed('names', skeleton);
  }
  await dropPictures(tx, found.id, release);
  await clearUser(tx.sql, found.id);
}
