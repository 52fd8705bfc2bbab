import {
  DummyDriver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from 'kysely';
import type { SqliteFile } from '../../runtime/sqlite.ts';
import { KyselyOn } from './kysely-on.ts';

// SQLite has no row locks, and needs none: its transactions run one after another.
class UnlockingCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(): void {}
}

// All migrations are one transaction.
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const dialect: Dialect = {
  createAdapter: () => new TransactionalAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new UnlockingCompiler(),
};

/** Makes query builders on connections to SQLite files. */
export function sqliteKysely(): KyselyOn {
  return new KyselyOn(dialect);
}

/** Runs queries on a file, until it is ended. */
export class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  #hasEnded = false;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Whatever is run from now on is rejected. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Throws if the connection has ended. */
  get file(): SqliteFile {
    if (this.#hasEnded) throw new Error('the transaction is over');
    return this.#file;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.file.prepare(sql);
    // Guarantee: the caller knows the columns of its query.
    if (statement.reader) return { rows: statement.all(parameters) as Row[] };
    const { changes } = statement.run(parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('queries are not streamed');
  }
}
