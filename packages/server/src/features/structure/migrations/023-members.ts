import type { Migration } from 'kysely/migration';

export const createMembers: Migration = {
  async up(db) {
    await db.schema
      .createTable('members')
      .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('nickname', 'text', (column) => column.notNull())
      .addColumn('joined_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('timed_out_until_ms', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('members_key', ['community_id', 'user_id'])
      .execute();
    await db.schema
      .createIndex('members_user')
      .on('members')
      .columns(['user_id', 'community_id'])
      .execute();
    await db.schema
      .createTable('member_roles')
      .addColumn('community_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('role_id', 'text', (column) => column.notNull().references('roles.id'))
      .addPrimaryKeyConstraint('member_roles_key', ['community_id', 'user_id', 'role_id'])
      .execute();
    await db.schema
      .createIndex('member_roles_role')
      .on('member_roles')
      .columns(['role_id', 'user_id'])
      .execute();
  },
};
