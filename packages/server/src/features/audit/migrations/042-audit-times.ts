import type { Migration } from 'kysely/migration';

export const indexAuditTimes: Migration = {
  async up(db) {
    await db.schema
      .createIndex('audit_entries_time')
      .on('audit_entries')
      .column('created_at_ms')
      .execute();
  },
};
