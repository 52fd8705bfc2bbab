import type { CompiledQuery } from 'kysely';
import type {
  Database,
  ManyStatement,
  Statement,
  Transaction,
  Writer,
} from '../../../server/src/ports/database/database.ts';
import { RankedLocks } from './lock-ranks.ts';
import { readerBefore } from './reader-before.ts';
import { insertedIn, locksIn, type RowLock, type TableKeys } from './row-locks.ts';

type Strength = RowLock['strength'];

/** After which locks on rows of a table a transaction may not take one of this strength. */
const AFTER: Readonly<Record<Strength, readonly Strength[]>> = {
  'key share': [],
  share: [],
  'no key update': ['key share', 'share'],
  update: ['key share', 'share', 'no key update'],
};

/**
 * Returns the database, except that a transaction rejects if it locks rows of a table for more after it has locked some
 * for less, as a foreign key does. If two transactions do so with the same row at once, each waits for what the other
 * one holds. It rejects as well if it takes a lock of a lower rank than it has.
 */
export function lockingOnce(database: Database, keys: TableKeys): Database {
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => {
        const [held, ranked] = [new HeldLocks(keys), new RankedLocks(keys)];
        return work(
          noting(tx, {
            statement(text, values) {
              held.add(text);
              ranked.add(text, values);
            },
            name: (name, how) => ranked.hold(name, how),
          }),
        );
      }, options),
  };
}

type Noted = Pick<Statement, 'text' | 'locks'> & Partial<Pick<Statement, 'values'>>;

/** Functions that are called before a transaction locks something. */
interface Notes {
  readonly statement: (text: string, values: readonly unknown[]) => void;
  readonly name: (name: string, how: 'shared' | 'alone') => void;
}

function noting(tx: Transaction, note: Notes): Transaction {
  const noteQuery = async ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) =>
    note.statement(sql, parameters);
  const noteStatement = ({ text, locks = '', values = [] }: Noted) =>
    note.statement(`${text} ${locks}`, values);
  const noteMany = (statement: ManyStatement) => {
    // Without rows, nothing is run.
    const { rows } = statement;
    const values = rows.length === 1 ? (rows[0] ?? []) : [];
    if (rows.length > 0) noteStatement({ ...statement, values });
  };
  return {
    // Guarantee: the same writer, except that its queries are noted.
    sql: readerBefore(tx.sql, noteQuery) as Writer,
    async run(statement) {
      noteStatement(statement);
      return await tx.run(statement);
    },
    async rows(statement) {
      noteStatement(statement);
      return await tx.rows(statement);
    },
    async many(statement) {
      noteMany(statement);
      return await tx.many(statement);
    },
    async runMany(statement) {
      noteMany(statement);
      return await tx.runMany(statement);
    },
    async hold(name, how) {
      note.name(name, how);
      await tx.hold(name, how);
    },
    changed: (kind, id) => tx.changed(kind, id),
  };
}

/** The first lock of a transaction on rows of each table. */
class HeldLocks {
  readonly #keys: TableKeys;
  readonly #first = new Map<string, { readonly strength: Strength; readonly text: string }>();

  constructor(keys: TableKeys) {
    this.#keys = keys;
  }

  /** Throws if a statement locks for more what is locked already. */
  add(text: string): void {
    for (const { table, strength } of locksIn(text, this.#keys)) {
      const first = this.#first.get(table);
      if (first === undefined) this.#first.set(table, { strength, text });
      else if (AFTER[strength].includes(first.strength)) {
        throw new Error(
          `rows of ${table} are locked for ${strength} after ${first.strength}: ${first.text}; then: ${text}`,
        );
      }
    }
    // Nobody else sees rows that are new.
    for (const table of insertedIn(text)) this.#first.set(table, { strength: 'update', text });
  }
}
