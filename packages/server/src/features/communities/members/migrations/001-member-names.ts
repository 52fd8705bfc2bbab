import type { Migration } from 'kysely/migration';

export const createMemberNames: Migration = {
  async up(db) {
    await db.schema
      .createTable('member_names')
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('shown', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('member_names_key', ['community_id', 'user_id', 'name'])
      .execute();
    await db.schema
      .createIndex('member_names_name')
      .on('member_names')
      .columns(['community_id', 'name', 'user_id'])
      .execute();
    await db.schema
      .createIndex('member_names_shown')
      .on('member_names')
      .columns(['community_id', 'shown', 'name', 'user_id'])
      .execute();
    await db.schema
      .createIndex('member_names_user')
      .on('member_names')
      .columns(['user_id', 'community_id'])
      .execute();
  },
};
