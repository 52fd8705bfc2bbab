import type { Migration } from 'kysely/migration';
import { addFirstJob } from '../../jobs/migrations/first-job.ts';

/** The names of members are folded as texts are for the search. A job stores those that are there again. */
export const foldMemberNames: Migration = {
  async up(db) {
    const some = await db.selectFrom('member_names').select('user_id').limit(1).execute();
    if (some.length > 0) await addFirstJob(db, 'fold-member-names', { after: '' });
  },
};
