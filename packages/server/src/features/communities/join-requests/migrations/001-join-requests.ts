import type { Migration } from 'kysely/migration';

export const createJoinRequests: Migration = {
  async up(db) {
    await db.schema
      .createTable('join_requests')
      .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('join_requests_key', ['community_id', 'user_id'])
      .execute();
    await db.schema
      .createIndex('join_requests_oldest')
      .on('join_requests')
      .columns(['community_id', 'created_at_ms', 'user_id'])
      .execute();
    await db.schema
      .createIndex('join_requests_user')
      .on('join_requests')
      .column('user_id')
      .execute();
  },
};
