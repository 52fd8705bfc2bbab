import {
  DummyDriver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type SelectModifierNode,
} from 'kysely';
import type { SqliteFile } from '../../runtime/sqlite.ts';
import type { ManyStatement, Statement } from './database.ts';
import { failedStatementError } from './failed-statement-error.ts';
import { KyselyOn } from './kysely-on.ts';
import { statementsWithValues } from './many-statement.ts';
import type { StoredForms } from './stored-forms.ts';

// SQLite has no row locks and needs none, because its transactions run one after another.
class UnlockingCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

// All migrations run in one transaction.
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

/** Runs queries on a file, with values in the forms that columns have, or as they are. */
export class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  readonly #forms: StoredForms | undefined;

  constructor(file: SqliteFile, forms?: StoredForms) {
    this.#file = file;
    this.#forms = forms;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#file.prepare(sql);
    const forms = this.#forms?.of(sql);
    const values = forms?.store(parameters) ?? parameters;
    if (statement.reader) {
      // Guarantee: the caller knows the columns of its query.
      const rows = statement.all(values) as Row[];
      return { rows: [...(forms?.restore(rows) ?? rows)] };
    }
    const { changes } = statement.run(values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('queries are not streamed');
  }
}

/** Runs the queries of one transaction, until it ends or one of them fails. */
export class SqliteTransactionConnection extends SqliteConnection {
  readonly #file: SqliteFile;
  readonly #forms: StoredForms | undefined;
  #hasEnded = false;
  #hasFailed = false;

  constructor(file: SqliteFile, forms?: StoredForms) {
    super(file, forms);
    [this.#file, this.#forms] = [file, forms];
  }

  /** Rejects all later queries. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Throws if a statement has failed, even if the error was caught: PostgreSQL does not commit such a transaction. */
  requireNoFailure(): void {
    if (this.#hasFailed) throw failedStatementError();
  }

  /** Runs a statement that is kept prepared. Returns how many rows it has changed. */
  change({ text, values }: Statement): number {
    this.#requireUsable();
    try {
      return this.#file.change(text, this.#forms?.of(text).store(values) ?? values);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** Runs a statement that is kept prepared. Returns its rows. */
  rows<Row>({ text, values }: Statement): readonly Row[] {
    this.#requireUsable();
    try {
      const forms = this.#forms?.of(text);
      // Guarantee: the caller knows the columns of its statement.
      const rows = this.#file.rows(text, forms?.store(values) ?? values) as readonly Row[];
      return forms?.restore(rows) ?? rows;
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** Runs a statement about several things, in as many parts as are kept prepared. Returns the rows of all. */
  many<Row>(statement: ManyStatement): readonly Row[] {
    const [first, ...others] = statementsWithValues(statement);
    if (first === undefined) return [];
    const rows = this.rows<Row>(first);
    return others.length === 0
      ? rows
      : [...rows, ...others.flatMap((each) => this.rows<Row>(each))];
  }

  /** Runs a statement about several things, without results. Returns how many rows it has changed. */
  changeMany(statement: ManyStatement): number {
    let changed = 0;
    for (const each of statementsWithValues(statement)) changed += this.change(each);
    return changed;
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#requireUsable();
    try {
      return await super.executeQuery<Row>(query);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  #requireUsable(): void {
    if (this.#hasEnded) throw new Error('the transaction is over');
    this.requireNoFailure();
  }
}
