import type { Migration } from 'kysely/migration';

export const createReactions: Migration = {
  async up(db) {
    await db.schema
      .createTable('message_reactions')
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('emoji', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('reacted_at_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('message_reactions_key', ['message_id', 'emoji', 'user_id'])
      .execute();
    await db.schema
      .createIndex('message_reactions_user')
      .on('message_reactions')
      .columns(['user_id', 'message_id'])
      .execute();
    await db.schema
      .createIndex('message_reactions_channel_id')
      .on('message_reactions')
      .columns(['channel_id', 'message_id'])
      .execute();
  },
};
