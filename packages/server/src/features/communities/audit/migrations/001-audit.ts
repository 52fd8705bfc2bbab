import type { Migration } from 'kysely/migration';

export const createAuditLog: Migration = {
  async up(db) {
    await db.schema
      .createTable('audit_entries')
      .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('actor_id', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target_kind', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('target_name', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('in_restricted', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('changes', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('audit_entries_key', ['community_id', 'id'])
      .execute();
    for (const column of ['actor_id', 'action'] as const) {
      await db.schema
        .createIndex(`audit_entries_${column}`)
        .on('audit_entries')
        .columns(['community_id', column, 'id'])
        .execute();
    }
    await db.schema
      .createIndex('audit_entries_target')
      .on('audit_entries')
      .column('target')
      .execute();
    await db.schema
      .createIndex('audit_entries_time')
      .on('audit_entries')
      .column('created_at_ms')
      .execute();
  },
};
