import type { Migration } from 'kysely/migration';

export const createCommunityInvites: Migration = {
  async up(db) {
    await db.schema
      .createTable('community_invites')
      .addColumn('code', 'text', (column) => column.primaryKey())
      .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('uses', 'bigint', (column) => column.notNull())
      .addColumn('max_uses', 'bigint', (column) => column.notNull())
      .addColumn('used_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('role_ids', 'text', (column) => column.notNull())
      .execute();
    const indices = {
      community_invites_newest: ['community_id', 'created_at_ms', 'code'],
      community_invites_by: ['created_by'],
    } as const;
    for (const [name, columns] of Object.entries(indices)) {
      await db.schema
        .createIndex(name)
        .on('community_invites')
        .columns([...columns])
        .execute();
    }
  },
};
