import { ValidationError, type Community, type Id, type OwnerChange } from '@hearth/protocol';
import type { User } from '../../../actor.ts';
import { holdWriting } from '../structure/channel-turns.ts';
import type { KeepsGuesses } from '../../platform/guesses/guess-limits.ts';
import { readMember } from '../structure/read-member.ts';
import { holdActiveUser } from '../../accounts/users/hold-active-user.ts';
import type { KeepsPasswords } from '../../accounts/users/passwords.ts';
import { lockProved } from '../../accounts/users/require-own-password.ts';
import type { AccessContext } from '../structure/access.ts';
import { describeCommunity } from '../structure/describe-community.ts';
import { restructure } from '../structure/in-community.ts';
import { proveOwner, requireOwner } from './owned-community.ts';
import { updateOwner } from '../structure/community-store.ts';

/**
 * Hands a community over to another member, who must be able to sign in. The former owner stays a member. Throws NotFoundError
 * if the caller may not know that it exists, ForbiddenError if they do not own it, ValidationError for a wrong password and for
 * `user_id`, and RateLimitedError.
 */
export async function changeOwner(
  ctx: AccessContext & KeepsGuesses & KeepsPasswords,
  actor: User,
  { id, user_id: userId, ...proof }: OwnerChange & { readonly id: Id },
): Promise<Community> {
  const proved = await proveOwner(ctx, actor, { id, ...proof });
  const after = await restructure(ctx, { actor, id }, async (tx, { community }) => {
    requireOwner(community.stored, actor);
    const isOther = userId !== actor.user_id;
    if (!isOther || (await readMember(tx.sql, id, userId)) === undefined) throw noMember();
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
