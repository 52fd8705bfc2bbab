import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createCommunityInvites: Migration = {
  async up(db) {
    await createInvites(db);
    await createWaitingInvites(db);
    await createInviteMakers(db);
  },
};

async function createInvites(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('community_invites')
    .addColumn('code', 'text', (column) => column.primaryKey())
    .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('uses', 'bigint', (column) => column.notNull())
    .addColumn('max_uses', 'bigint', (column) => column.notNull())
    .addColumn('registrations', 'bigint', (column) => column.notNull().defaultTo(0))
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
}

async function createWaitingInvites(db: Kysely<unknown>): Promise<void> {
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
}

async function createInviteMakers(db: Kysely<unknown>): Promise<void> {
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
}
