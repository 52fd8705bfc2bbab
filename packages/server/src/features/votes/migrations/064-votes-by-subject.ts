import type { Migration } from 'kysely/migration';

/** The votes of a channel are found by its posts and comments, so that a vote needs an index less. */
export const dropVotesOfChannels: Migration = {
  async up(db) {
    await db.schema.dropIndex('votes_channel').execute();
  },
};
