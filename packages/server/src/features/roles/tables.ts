import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createRoles } from './migrations/022-roles.ts';
import { noteDeletedRoles } from './migrations/041-deleted-roles.ts';

/** The roles of communities. The everyone role has the id of its community and position 0. */
export interface RolesTable {
  id: string;
  community_id: string;
  name: string;
  /** Empty if it has none. */
  colour: string;
  hoisted: number;
  mentionable: number;
  self_assignable: number;
  position: number;
  /** Bits of the permissions of members. */
  permissions: number;
  version: number;
  /** 1 for a role that was deleted and is still being taken from its members. */
  deleted: number;
}

/** The tables of this feature. */
export interface RolesTables {
  roles: RolesTable;
}

export const rolesTables: FeatureTables<RolesTables> = {
  tables: {
    roles: {
      columns: {
        id: 'text',
        community_id: 'text',
        name: 'text',
        colour: 'text',
        hoisted: 'number',
        mentionable: 'number',
        self_assignable: 'number',
        position: 'number',
        permissions: 'number',
        version: 'number',
        deleted: 'number',
      },
      key: ['id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities'],
    },
  },
  migrations: { '022-roles': createRoles, '041-deleted-roles': noteDeletedRoles },
};
