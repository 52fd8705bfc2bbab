import { NO_PERMISSION, type Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { byId } from '../../../ports/database/by-id.ts';
import type { RolesTable } from './tables.ts';

export type StoredRole = Readonly<RolesTable>;

export type RoleFields = Omit<
  StoredRole,
  'id' | 'community_id' | 'position' | 'version' | 'deleted'
>;

/** The roles of communities, the weakest of each first. */
export async function selectRoles(
  db: Reader,
  communityIds: readonly Id[],
): Promise<readonly StoredRole[]> {
  if (communityIds.length === 0) return [];
  return await db
    .selectFrom('roles')
    .selectAll()
    .where('community_id', 'in', communityIds)
    .where('deleted', '=', 0)
    .orderBy('community_id')
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function insertRole(
  db: Writer,
  role: Omit<StoredRole, 'version' | 'deleted'>,
): Promise<void> {
  await db
    .insertInto('roles')
    .values({ ...role, version: 1, deleted: 0 })
    .execute();
}

/** Replaces what its managers change, and raises the version. */
export async function updateRole(db: Writer, id: Id, fields: RoleFields): Promise<void> {
  await db
    .updateTable('roles')
    .set((own) => ({ ...fields, version: own('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Gives roles new positions, and raises their versions. */
export async function updatePositions(
  db: Writer,
  positions: ReadonlyMap<Id, number>,
): Promise<void> {
  if (positions.size === 0) return;
  await db
    .updateTable('roles')
    .set((own) => ({
      position: byId(own.ref('position'), positions),
      version: own('version', '+', 1),
    }))
    .where('id', 'in', [...positions.keys()])
    .execute();
}

/** Makes a role one that nobody has, although members still name it. */
export async function markRoleDeleted(db: Writer, id: Id): Promise<void> {
  const permissions = NO_PERMISSION;
  await db.updateTable('roles').set({ deleted: 1, permissions }).where('id', '=', id).execute();
}

/** Removes a role that no member and no overwrite names. */
export async function deleteRole(db: Writer, id: Id): Promise<void> {
  await db.deleteFrom('roles').where('id', '=', id).execute();
}
