import type { Id } from '@hearth/protocol';
import type { Writer } from '../../ports/database/database.ts';
import type { StoredMember } from './store.ts';

/** Replaces the roles of a member. */
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

/** Takes a role from members, at most so many. Returns from how many. */
export async function takeRoleFrom(db: Writer, roleId: Id, most: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('member_roles')
    .where('role_id', '=', roleId)
    .where('user_id', 'in', (from) =>
      from.selectFrom('member_roles').select('user_id').where('role_id', '=', roleId).limit(most),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
