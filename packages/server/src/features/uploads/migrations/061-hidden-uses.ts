import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const addHiddenUses: Migration = {
  async up(db) {
    await db.schema
      .alterTable('uploads')
      .addColumn('hidden_uses', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    // Few: communities are removed a week after they were deleted.
    for (const use of ['icon', 'banner']) {
      await sql`
        update uploads
        set hidden_uses = hidden_uses + (
          select count(*) from communities where deleted_at_ms > 0 and ${sql.ref(use)} = uploads.id)
        where id in (
          select ${sql.ref(use)} from communities where deleted_at_ms > 0 and ${sql.ref(use)} <> '')`.execute(
        db,
      );
    }
  },
};
