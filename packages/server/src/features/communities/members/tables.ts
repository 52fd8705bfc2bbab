import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createMemberNames } from './migrations/001-member-names.ts';

/** The folded names by which members are found and listed. */
export interface MemberNamesTable {
  community_id: Id;
  user_id: Id;
  name: string;
  /** 1 for the name that is shown, otherwise 0. */
  shown: number;
}

/** The tables of this feature. */
export interface MembersTables {
  member_names: MemberNamesTable;
}

export const membersTables: FeatureTables<MembersTables> = {
  tables: {
    member_names: {
      columns: { community_id: 'id', user_id: 'id', name: 'text', shown: 'number' },
      key: ['community_id', 'user_id', 'name'],
      removedWith: { community: 'community_id' },
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createMemberNames },
};
