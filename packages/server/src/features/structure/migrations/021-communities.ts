import type { Migration } from 'kysely/migration';

export const createCommunities: Migration = {
  async up(db) {
    await db.schema
      .createTable('communities')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('icon', 'text', (column) => column.notNull())
      .addColumn('banner', 'text', (column) => column.notNull())
      .addColumn('rules', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('visibility', 'text', (column) => column.notNull())
      .addColumn('join_mode', 'text', (column) => column.notNull())
      .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('member_count', 'bigint', (column) => column.notNull())
      .addColumn('languages', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('sensitive', 'integer', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('active_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('communities_owner').on('communities').column('owner_id').execute();
    for (const [name, columns] of PUBLIC_ORDERS) {
      await db.schema
        .createIndex(name)
        .on('communities')
        .columns(['visibility', 'deleted_at_ms', ...columns])
        .execute();
    }
    await db.schema
      .createTable('community_slugs')
      .addColumn('slug', 'text', (column) => column.primaryKey())
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('free_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('community_slugs_community')
      .on('community_slugs')
      .column('community_id')
      .execute();
  },
};

/** The orders in which public communities are listed. */
const PUBLIC_ORDERS = [
  ['communities_active', ['active_at_ms', 'id']],
  ['communities_new', ['created_at_ms', 'id']],
  ['communities_members', ['member_count', 'id']],
] as const;
