import { ForbiddenError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { KeepsGuesses } from '../../platform/guesses/guesses.ts';
import {
  requireOwnPassword,
  type UsersTable,
  type KeepsPasswords,
} from '../../accounts/users/users.ts';
import { accessTo, type AccessContext, type StoredCommunity } from '../structure/structure.ts';

/** An act that only the owner of a community may do, with their password. */
export interface OwnersAct {
  readonly id: Id;
  readonly current_password: string;
}

/**
 * The account of the caller, who owns a community and knows their password. Throws NotFoundError if they may not know that the
 * community exists, ForbiddenError if they do not own it, ValidationError for `current_password`, and RateLimitedError.
 */
export async function proveOwner(
  ctx: AccessContext & KeepsGuesses & KeepsPasswords,
  actor: Account,
  { id, current_password: password }: OwnersAct,
): Promise<UsersTable> {
  const { community } = await accessTo(ctx, actor, id);
  requireOwner(community.stored, actor);
  return await requireOwnPassword(ctx, actor, password);
}

/** Throws ForbiddenError unless the caller owns the community. */
export function requireOwner(
  { ownerId }: Pick<StoredCommunity, 'ownerId'>,
  { user_id: userId }: Pick<Account, 'user_id'>,
): void {
  if (ownerId !== userId) throw new ForbiddenError({ code: 'not_owner' });
}
