import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createGuesses } from './migrations/001-guesses.ts';

const tables = {
  /** Wrong passwords and codes, by the allowance that they used up. */
  guesses: table({
    columns: {
      key: column.text,
      /** The number of failures since the last time that they were forgotten. */
      failures: column.number,
      /** When the last one was. */
      last_at_ms: column.moment,
    },
    key: ['key'],
    people: {
      key: { rows: 'kept', because: 'wrong guesses are forgotten after a day in any case' },
    },
  }),
};

export const guessesTables = {
  tables,
  migrations: { '001-first': createGuesses },
} satisfies FeatureTables;
