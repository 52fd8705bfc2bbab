import { ConflictError, isEmptyMask, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { KEPT } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { HasJoiningInvites } from '../registration/registration.ts';
import { announceOwnUser, lockAccount } from '../users/users.ts';
import { findManagedUser, lockManagedUser } from './find-managed-user.ts';
import type { ManagedUser } from './store.ts';

export type ManagingContext = Pick<Context, 'database' | 'clock' | 'settings'> & HasJoiningInvites;

/** A change of an account. */
interface ManagingChange {
  /** True if `work` changes the community that the person joins when they are approved, which is locked then. */
  readonly locksAwaited?: true;
  /** Changes the locked account. */
  readonly work: (tx: EmittingTransaction, user: ManagedUser) => Promise<void>;
}

/**
 * Changes the account that has this id or name, which `work` gets locked, and returns it as it was. Staff cannot change the
 * account of other staff: that takes the permission to manage the instance. Throws ForbiddenError, the errors of
 * {@link findManagedUser}, and what `work` throws.
 */
export async function changeManagedUser(
  ctx: ManagingContext,
  actor: Actor,
  { user: idOrName, ...change }: ManagingChange & { readonly user: string },
): Promise<ManagedUser> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const { id } = await findManagedUser(ctx.database.reader, idOrName);
  return await changeAccountOf(ctx, actor, { id, ...change });
}

/** As {@link changeManagedUser}, for an account whose id is known: it does not matter whose name that is. */
export async function changeAccountOf(
  ctx: ManagingContext,
  actor: Actor,
  { id, locksAwaited, work }: ManagingChange & { readonly id: Id },
): Promise<ManagedUser> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const { database, joiningInvites } = ctx;
  const awaited = locksAwaited && (await joiningInvites.findAwaited(database.reader, id));
  const change = async (tx: EmittingTransaction): Promise<ManagedUser> => {
    if (locksAwaited === true) await joiningInvites.lockAwaited(tx, id);
    const user = await lockManagedUser(tx, id);
    if (!isEmptyMask(user.staff_permissions)) requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
    await work(tx, user);
    tx.changed('users', user.id);
    const changed = await lockAccount(tx, user.id);
    if (changed.state === 'active') await announceOwnUser(tx, ctx, changed);
    return user;
  };
  if (awaited === undefined) return await database.transaction(change, KEPT);
  const writing = { subjects: [awaited, id], caller: id, isUrgent: true } as const;
  return await database.writeAlone(writing, change);
}

const STATE_TEXTS: Readonly<Record<ManagedUser['state'], string>> = {
  active: 'The account is active',
  pending: 'The account waits for approval',
  disabled: 'The account is disabled',
  deleted: 'The account is deleted',
};

/** Throws ConflictError unless the account is in one of the states of `from`. `to` is the state that it would get. */
export function requireState(
  { state }: ManagedUser,
  {
    from,
    to,
  }: { readonly from: readonly ManagedUser['state'][]; readonly to?: ManagedUser['state'] },
): void {
  if (from.includes(state)) return;
  const text = `${STATE_TEXTS[state]}${state === to ? ' already' : ''}`;
  throw new ConflictError({ code: 'wrong_state', field_name: 'state' }, { state: text });
}
