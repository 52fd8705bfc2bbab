import { ValidationError, type Community, type Id, type OwnerChange } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  describeCommunity,
  holdWriting,
  selectMember,
  restructure,
  updateOwner,
  type AccessContext,
} from '../structure/structure.ts';
import type { KeepsGuesses } from '../../platform/guesses/guesses.ts';
import { holdActiveUser, lockProved, type KeepsPasswords } from '../../accounts/users/users.ts';
import { proveOwner, requireOwner } from './owned-community.ts';

/**
 * Hands a community over to another member, who must be able to sign in. The former owner stays a member. Throws NotFoundError
 * if the caller may not know that it exists, ForbiddenError if they do not own it, ValidationError for a wrong password and for
 * `user_id`, and RateLimitedError.
 */
export async function changeOwner(
  ctx: AccessContext & KeepsGuesses & KeepsPasswords,
  actor: Account,
  { id, user_id: userId, ...proof }: OwnerChange & { readonly id: Id },
): Promise<Community> {
  const proved = await proveOwner(ctx, actor, { id, ...proof });
  const after = await restructure(ctx, { actor, id }, async (tx, { community }) => {
    requireOwner(community.stored, actor);
    const isOther = userId !== actor.user_id;
    if (!isOther || (await selectMember(tx.sql, id, userId)) === undefined) throw noMember();
    await holdWriting(tx, id);
    await lockProved(tx, proved);
    if ((await holdActiveUser(tx, userId)) === undefined) throw noMember();
    await updateOwner(tx.sql, id, userId);
    return () => ({ action: 'owner_change', target: { kind: 'user', id: userId } });
  });
  return describeCommunity(after.stored);
}

function noMember(): ValidationError {
  return new ValidationError('user_id', 'must be another member who can sign in');
}
