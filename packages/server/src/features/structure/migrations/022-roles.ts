import type { Migration } from 'kysely/migration';

export const createRoles: Migration = {
  async up(db) {
    await db.schema
      .createTable('roles')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('colour', 'text', (column) => column.notNull())
      .addColumn('hoisted', 'integer', (column) => column.notNull())
      .addColumn('mentionable', 'integer', (column) => column.notNull())
      .addColumn('self_assignable', 'integer', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('permissions', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('roles_community')
      .on('roles')
      .columns(['community_id', 'position', 'id'])
      .execute();
  },
};
