import type { Migration } from 'kysely/migration';

export const addRegisteringInvites: Migration = {
  async up(db) {
    await db.schema
      .alterTable('community_invites')
      .addColumn('registrations', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('waiting_invites')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('role_ids', 'text', (column) => column.notNull())
      .execute();
    const indices = {
      waiting_invites_of: ['community_id'],
      waiting_invites_by: ['created_by'],
      waiting_invites_with: ['code'],
    } as const;
    for (const [name, columns] of Object.entries(indices)) {
      await db.schema
        .createIndex(name)
        .on('waiting_invites')
        .columns([...columns])
        .execute();
    }
    await db.schema
      .createTable('invite_makers')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
      .addColumn('registered_at', 'text', (column) => column.notNull())
      .addColumn('last_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('invite_makers_last')
      .on('invite_makers')
      .column('last_at_ms')
      .execute();
  },
};
