import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createGuesses } from './migrations/001-guesses.ts';

/** Wrong passwords and codes, by the allowance that they used up. */
export interface GuessesTable {
  key: string;
  /** How many there were since the last time that they were forgotten. */
  failures: number;
  /** When the last one was. */
  last_at_ms: number;
}

/** The tables of this feature. */
export interface GuessesTables {
  guesses: GuessesTable;
}

export const guessesTables: FeatureTables<GuessesTables> = {
  tables: {
    guesses: {
      columns: { key: 'text', failures: 'number', last_at_ms: 'moment' },
      key: ['key'],
      people: {
        key: { rows: 'kept', because: 'wrong guesses are forgotten after a day in any case' },
      },
    },
  },
  migrations: { '001-first': createGuesses },
};
