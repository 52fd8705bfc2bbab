import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createMemberNames } from './migrations/001-member-names.ts';

const tables = {
  /** The folded names by which members are found and listed. */
  member_names: table({
    columns: {
      community_id: column.id,
      user_id: column.id,
      name: column.text,
      /** 1 for the name that is shown, otherwise 0. */
      shown: column.number,
    },
    key: ['community_id', 'user_id', 'name'],
    removedWith: { community: 'community_id' },
    people: { user_id: { rows: 'removed' } },
  }),
};

export const membersTables = {
  tables,
  migrations: { '001-first': createMemberNames },
} satisfies FeatureTables;
