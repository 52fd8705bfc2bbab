import type { Id } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';
import type { StoredMember } from './member-store.ts';

export async function replaceRoles(
  db: Writer,
  { communityId, userId, roleIds }: Pick<StoredMember, 'communityId' | 'userId' | 'roleIds'>,
): Promise<void> {
  const key = { community_id: communityId, user_id: userId };
  await db
    .deleteFrom('member_roles')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .execute();
  if (roleIds.length === 0) return;
  await db
    .insertInto('member_roles')
    .values(roleIds.map((roleId) => ({ ...key, role_id: roleId })))
    .execute();
}

/** Who has a role, in the order in which it is taken from them. */
export function sweptRole(roleId: Id): Swept {
  return { table: 'member_roles', where: { role_id: roleId }, order: ['user_id'] };
}
