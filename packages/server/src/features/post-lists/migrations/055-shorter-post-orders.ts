import type { Migration } from 'kysely/migration';

/** Orders are stored without the zeros that their ids begin with. Earlier ones would be gone in 15 minutes anyway. */
export const forgetPostOrders: Migration = {
  async up(db) {
    await db.deleteFrom('post_orders').execute();
  },
};
