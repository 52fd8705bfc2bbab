import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createPoints: Migration = {
  async up(db) {
    await createMemberPoints(db);
    await createPointLedger(db);
  },
};

async function createMemberPoints(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('member_points')
    .addColumn('community_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('points', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('member_points_key', ['community_id', 'user_id'])
    .execute();
  await db.schema
    .createIndex('member_points_user')
    .on('member_points')
    .columns(['user_id'])
    .execute();
}

async function createPointLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('point_ledger')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('community_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('points', 'bigint', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('point_ledger_key', ['id'])
    .execute();
  await db.schema
    .createIndex('point_ledger_user')
    .on('point_ledger')
    .columns(['user_id', 'community_id'])
    .execute();
  await db.schema
    .createIndex('point_ledger_community')
    .on('point_ledger')
    .columns(['community_id'])
    .execute();
}
