import {
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from 'kysely';
import { KyselyOn } from './kysely-on.ts';
import type { Query } from './postgres-connection.ts';
import type { Lease } from './postgres-pool.ts';
import type { StoredForms } from './stored-forms.ts';

/** The statement that begins a migration's transaction takes its lock, so Kysely does not. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const dialect: Dialect = {
  createAdapter: () => new UnlockedAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** Makes query builders on connections to PostgreSQL. */
export function postgresKysely(): KyselyOn {
  return new KyselyOn(dialect);
}

/** Runs queries on a leased connection until it is ended, with values in the forms that columns have, or as they are. */
export class LeaseConnection implements DatabaseConnection {
  readonly #lease: Pick<Lease, 'query'>;
  readonly #forms: StoredForms | undefined;
  #hasEnded = false;

  constructor(lease: Pick<Lease, 'query'>, forms?: StoredForms) {
    this.#lease = lease;
    this.#forms = forms;
  }

  /** Rejects all later queries. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Throws if the connection has ended. */
  get lease(): Pick<Lease, 'query'> {
    if (this.#hasEnded) throw new Error('the transaction is over');
    return this.#lease;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.query<Row>({ text: sql, values: parameters });
    return { rows: [...rows], numAffectedRows: BigInt(rowCount) };
  }

  /** Runs a query. */
  async query<Row>({
    values,
    ...query
  }: Query): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number }> {
    const forms = this.#forms?.of(query.text);
    const { rows, rowCount } = await this.lease.query({
      ...query,
      values: forms?.store(values) ?? values,
    });
    return { rows: forms?.restore<Row>(rows) ?? rows, rowCount: rowCount ?? 0 };
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('queries are not streamed');
  }
}
