import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createTurns } from './migrations/001-turns.ts';

const tables = {
  /** The order of events in each place where something is said, such as a channel. */
  turns: table({
    columns: {
      /** The id of the place. */
      id: column.id,
      /** The number of the last event of the place. */
      number: column.number,
      /** The id of the newest message or post, which may have been deleted; empty if there was none. */
      last_id: column.optionalId,
      /** When that was written, Unix milliseconds; 0 if it is not known. */
      last_at_ms: column.moment,
      /** Grows with every change of what a process may remember of the place. */
      version: column.number,
      /** 1 for a place that was deleted, where nothing is said any more. */
      closed: column.number,
    },
    key: ['id'],
    removedWith: { channel: 'id' },
  }),
};

export type TurnsTable = Row<typeof tables.turns>;

export const turnsTables = {
  tables,
  migrations: { '001-first': createTurns },
} satisfies FeatureTables;
