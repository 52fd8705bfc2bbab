import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createStructure: Migration = {
  async up(db) {
    await createCommunities(db);
    await createSlugs(db);
    await createRoles(db);
    await createMembers(db);
    await createMemberRoles(db);
    await createKeptTimeOuts(db);
    await createBans(db);
    await createChannels(db);
    await createOverwrites(db);
  },
};

/** The orders in which public communities are listed. */
const PUBLIC_ORDERS = [
  ['communities_active', ['active_at_ms', 'id']],
  ['communities_new', ['created_at_ms', 'id']],
  ['communities_members', ['member_count', 'id']],
] as const;

async function createCommunities(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('communities')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('icon', 'text', (column) => column.notNull())
    .addColumn('banner', 'text', (column) => column.notNull())
    .addColumn('rules', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('visibility', 'text', (column) => column.notNull())
    .addColumn('join_mode', 'text', (column) => column.notNull())
    .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('member_count', 'bigint', (column) => column.notNull())
    .addColumn('languages', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('sensitive', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('active_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('structure_version', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('communities_owner').on('communities').column('owner_id').execute();
  for (const [name, columns] of PUBLIC_ORDERS) {
    await db.schema
      .createIndex(name)
      .on('communities')
      .columns(['visibility', 'deleted_at_ms', ...columns])
      .execute();
  }
  for (const column of ['icon', 'banner'] as const) {
    await db.schema
      .createIndex(`communities_${column}`)
      .on('communities')
      .column(column)
      .where(sql.ref(column), '!=', '')
      .execute();
  }
  // For the removal of deleted ones, of which there are few.
  await db.schema
    .createIndex('communities_deleted')
    .on('communities')
    .column('deleted_at_ms')
    .where(sql.ref('deleted_at_ms'), '>', 0)
    .execute();
}

async function createSlugs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('community_slugs')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('community_id', 'text', (column) => column.notNull())
    .addColumn('free_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('community_slugs_community')
    .on('community_slugs')
    .column('community_id')
    .execute();
}

async function createRoles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('roles')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('colour', 'text', (column) => column.notNull())
    .addColumn('hoisted', 'integer', (column) => column.notNull())
    .addColumn('mentionable', 'integer', (column) => column.notNull())
    .addColumn('self_assignable', 'integer', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('permissions', 'text', (column) => column.notNull())
    .addColumn('deleted', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('roles_community')
    .on('roles')
    .columns(['community_id', 'position', 'id'])
    .execute();
}

async function createMembers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('members')
    .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('nickname', 'text', (column) => column.notNull())
    .addColumn('joined_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('timed_out_until_ms', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('members_key', ['community_id', 'user_id'])
    .execute();
  await db.schema
    .createIndex('members_user')
    .on('members')
    .columns(['user_id', 'community_id'])
    .execute();
}

async function createMemberRoles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('member_roles')
    .addColumn('community_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('role_id', 'text', (column) => column.notNull().references('roles.id'))
    .addPrimaryKeyConstraint('member_roles_key', ['community_id', 'user_id', 'role_id'])
    .execute();
  await db.schema
    .createIndex('member_roles_role')
    .on('member_roles')
    .columns(['role_id', 'user_id'])
    .execute();
}

async function createKeptTimeOuts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('kept_time_outs')
    .addColumn('community_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('until_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('kept_time_outs_key', ['community_id', 'user_id'])
    .execute();
  for (const column of ['user_id', 'until_ms'] as const) {
    await db.schema
      .createIndex(`kept_time_outs_${column}`)
      .on('kept_time_outs')
      .column(column)
      .execute();
  }
}

async function createBans(db: Kysely<unknown>): Promise<void> {
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
}

async function createChannels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channels')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('community_id', 'text', (column) => column.notNull().references('communities.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('topic', 'text', (column) => column.notNull())
    .addColumn('category_id', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('slow_mode_seconds', 'integer', (column) => column.notNull())
    .addColumn('post_settings', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('deleted_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('channels_community')
    .on('channels')
    .columns(['community_id', 'position', 'id'])
    .execute();
  // For the removal of deleted ones, of which there are few.
  await db.schema
    .createIndex('channels_deleted')
    .on('channels')
    .column('deleted_at_ms')
    .where(sql.ref('deleted_at_ms'), '>', 0)
    .execute();
}

async function createOverwrites(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channel_overwrites')
    .addColumn('channel_id', 'text', (column) => column.notNull().references('channels.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('allow', 'text', (column) => column.notNull())
    .addColumn('deny', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_overwrites_key', ['channel_id', 'kind', 'subject_id'])
    .execute();
  await db.schema
    .createIndex('channel_overwrites_subject')
    .on('channel_overwrites')
    .columns(['kind', 'subject_id'])
    .execute();
}
