import {
  DefaultQueryExecutor,
  Kysely,
  Transaction,
  type DatabaseConnection,
  type Dialect,
} from 'kysely';
import type { Reader, Tables, Writer } from './database.ts';

/** Runs a query on a connection. */
export type ProvideConnection = <Result>(
  consumer: (connection: DatabaseConnection) => Promise<Result>,
) => Promise<Result>;

/** Kysely on an engine's connections. The engine begins and ends transactions, not Kysely. */
export class KyselyOn {
  readonly #dialect: Dialect;
  readonly #parts;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#parts = {
      compiler: dialect.createQueryCompiler(),
      adapter: dialect.createAdapter(),
      driver: dialect.createDriver(),
    };
  }

  /** Runs each query on its own connection. */
  reader(provideConnection: ProvideConnection): Reader {
    return new Kysely<Tables>(this.#props(provideConnection));
  }

  /** Runs all queries on the connection of a transaction that the engine has begun. */
  writer(connection: DatabaseConnection): Writer {
    return new Transaction<Tables>(this.#props((consumer) => consumer(connection)));
  }

  #props(provideConnection: ProvideConnection) {
    const { compiler, adapter, driver } = this.#parts;
    const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection });
    return { config: { dialect: this.#dialect }, dialect: this.#dialect, driver, executor };
  }
}
