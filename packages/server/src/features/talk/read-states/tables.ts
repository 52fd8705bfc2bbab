import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createReadStates } from './migrations/001-read-states.ts';

/**
 * How far members have read the channels that they have opened. Nothing but the mark changes, and no index has it, so that
 * PostgreSQL can replace a row within its page.
 */
export interface ReadStatesTable {
  user_id: Id;
  community_id: Id;
  channel_id: Id;
  /** With leading zeros to 39 digits, so that texts sort like their numbers. */
  last_read_id: Id;
}

/** The tables of this feature. */
export interface ReadStatesTables {
  read_states: ReadStatesTable;
}

export const readStatesTables: FeatureTables<ReadStatesTables> = {
  tables: {
    read_states: {
      columns: {
        user_id: 'id',
        community_id: 'id',
        channel_id: 'id',
        last_read_id: 'id',
      },
      key: ['user_id', 'community_id', 'channel_id'],
      removedWith: { channel: 'channel_id' },
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createReadStates },
};
