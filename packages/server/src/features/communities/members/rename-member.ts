import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { UserNames } from '../../accounts/users/users.ts';
import { foldedNames } from './folded-names.ts';
import { replaceNames } from './names-store.ts';
import { lockNicknames } from '../structure/structure.ts';

/** Lists somebody by their new name in all of their communities. The account is locked. */
export async function renameMember(
  { sql }: Transaction,
  userId: Id,
  user: UserNames,
): Promise<void> {
  const memberships = await lockNicknames(sql, userId);
  const named = memberships.map(({ communityId, nickname }) => {
    return { communityId, names: foldedNames(user, nickname) };
  });
  await replaceNames(sql, userId, named);
}
