import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const addInvitedBy: Migration = {
  async up(db) {
    await db.schema
      .alterTable('users')
      .addColumn('invited_by', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema
      .createIndex('users_invited')
      .on('users')
      .columns(['invited_by', 'created_at_ms', 'id'])
      .where(sql.ref('invited_by'), '!=', '')
      .execute();
  },
};
