import { NO_PERMISSION, type Id, type Permission, type PermissionMask } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { byId } from '../../../ports/database/by-id.ts';
import type { RolesTable } from './tables.ts';

export interface StoredRole {
  readonly id: Id;
  readonly communityId: Id;
  readonly name: string;
  /** Empty if it has none. */
  readonly colour: string;
  readonly isHoisted: boolean;
  readonly isMentionable: boolean;
  readonly isSelfAssignable: boolean;
  readonly position: number;
  readonly permissions: PermissionMask<Permission>;
  readonly version: number;
}

export type RoleFields = Omit<StoredRole, 'id' | 'communityId' | 'position' | 'version'>;

/** The roles of communities, the weakest of each first. */
export async function selectRoles(
  db: Reader,
  communityIds: readonly Id[],
): Promise<readonly StoredRole[]> {
  if (communityIds.length === 0) return [];
  const rows = await db
    .selectFrom('roles')
    .selectAll()
    .where('community_id', 'in', communityIds)
    .where('deleted', '=', 0)
    .orderBy('community_id')
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(roleOf);
}

export async function insertRole(db: Writer, role: Omit<StoredRole, 'version'>): Promise<void> {
  await db
    .insertInto('roles')
    .values({
      id: role.id,
      community_id: role.communityId,
      ...columnsOf(role),
      position: role.position,
      version: 1,
      deleted: 0,
    })
    .execute();
}

/** Replaces what its managers change, and raises the version. */
export async function updateRole(db: Writer, id: Id, fields: RoleFields): Promise<void> {
  await db
    .updateTable('roles')
    .set((own) => ({ ...columnsOf(fields), version: own('version', '+', 1) }))
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

function columnsOf(fields: RoleFields) {
  return {
    name: fields.name,
    colour: fields.colour,
    hoisted: fields.isHoisted ? 1 : 0,
    mentionable: fields.isMentionable ? 1 : 0,
    self_assignable: fields.isSelfAssignable ? 1 : 0,
    permissions: fields.permissions,
  };
}

function roleOf(row: RolesTable): StoredRole {
  return {
    id: row.id,
    communityId: row.community_id,
    name: row.name,
    colour: row.colour,
    isHoisted: Number(row.hoisted) > 0,
    isMentionable: Number(row.mentionable) > 0,
    isSelfAssignable: Number(row.self_assignable) > 0,
    position: Number(row.position),
    permissions: row.permissions,
    version: Number(row.version),
  };
}
