import type { Migration } from 'kysely/migration';

export const createBans: Migration = {
  async up(db) {
    await db.schema
      .createTable('community_bans')
      .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('community_bans_key', ['community_id', 'user_id'])
      .execute();
    const indices = {
      community_bans_newest: ['community_id', 'created_at_ms', 'user_id'],
      community_bans_user: ['user_id'],
      community_bans_by: ['created_by'],
      community_bans_expiry: ['expires_at_ms'],
    } as const;
    for (const [name, columns] of Object.entries(indices)) {
      await db.schema
        .createIndex(name)
        .on('community_bans')
        .columns([...columns])
        .execute();
    }
  },
};
