import type {
  Database,
  Statement,
  Transaction,
  Writer,
} from '../../../server/src/ports/database/database.ts';
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
 * The same database, except that a transaction rejects if it locks rows of a table for more after it has locked some for less,
 * as a foreign key does. If two transactions do so with the same row at once, each waits for what the other one holds.
 */
export function lockingOnce(database: Database, keys: TableKeys): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((tx) => {
        const held = new HeldLocks(keys);
        return work(noting(tx, (text) => held.add(text)));
      }),
  };
}

function noting(tx: Transaction, note: (text: string) => void): Transaction {
  const noteQuery = async ({ sql }: { readonly sql: string }) => note(sql);
  const noteStatement = ({ text, locks = '' }: Statement) => note(`${text} ${locks}`);
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
    hold: (name, how) => tx.hold(name, how),
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
