import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createTurns } from './migrations/001-turns.ts';

/** The order of events in each place where something is said, such as a channel. */
export interface TurnsTable {
  /** The id of the place. */
  id: Id;
  /** The number of the last event of the place. */
  number: number;
  /** The id of the newest message or post, which may have been deleted; empty if there was none. */
  last_id: Id | '';
  /** When that was written, Unix milliseconds; 0 if it is not known. */
  last_at_ms: number;
  /** Grows with every change of what a process may remember of the place. */
  version: number;
  /** 1 for a place that was deleted, where nothing is said any more. */
  closed: number;
}

/** The tables of this feature. */
export interface TurnsTables {
  turns: TurnsTable;
}

export const turnsTables: FeatureTables<TurnsTables> = {
  tables: {
    turns: {
      columns: {
        id: 'id',
        number: 'number',
        last_id: 'id',
        last_at_ms: 'moment',
        version: 'number',
        closed: 'number',
      },
      key: ['id'],
      removedWith: { channel: 'id' },
    },
  },
  migrations: { '001-first': createTurns },
};
