import { ConflictError, UnauthorizedError, type Id } from '@hearth/protocol';
import { MOST_COMMUNITIES } from '@hearth/protocol/schemas';
import type { Transaction } from '../../ports/database/database.ts';
import { forgetReadStates } from '../read-states/forget-read-states.ts';
import { holdActiveUser } from '../users/hold-active-user.ts';
import { foldedNames } from './folded-names.ts';
import { memberKey } from './known-members.ts';
import { replaceNames } from './names-store.ts';
import { countMemberships, insertMember } from './store.ts';

/**
 * Adds a member to a community that is locked; false if they are one already. The caller counts them. Throws ConflictError
 * for one community too many, and UnauthorizedError if the account has been deleted meanwhile.
 */
export async function addMember(
  tx: Transaction,
  {
    communityId,
    userId,
    nowMs,
  }: { readonly communityId: Id; readonly userId: Id; readonly nowMs: number },
): Promise<boolean> {
  // Two joins of one person wait for each other here, so that their number stays bounded.
  const user = await holdActiveUser(tx, userId);
  if (user === undefined) throw new UnauthorizedError('token_ended');
  if (!(await insertMember(tx.sql, { communityId, userId, nowMs }))) return false;
  await replaceNames(tx.sql, userId, [{ communityId, names: foldedNames(user, '') }]);
  if ((await countMemberships(tx.sql, userId)) > MOST_COMMUNITIES) {
    const error = `are at most ${MOST_COMMUNITIES}: leave one first`;
    throw new ConflictError({ code: 'too_many', field_name: 'communities', error });
  }
  // A message that was posted while its author left may have added one.
  await forgetReadStates(tx, { communityId, userId });
  tx.changed('members', memberKey(communityId, userId));
  return true;
}
