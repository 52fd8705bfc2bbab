import {
  Kysely,
  type CompiledQuery,
  type KyselyProps,
  type QueryExecutor,
  type QueryResult,
} from 'kysely';
import type { Reader, Tables } from '../../../server/src/ports/database/database.ts';

/** Returns a reader that runs `before` before each query, and `after` with its result. The query rejects if they do. */
export function readerBefore(
  reader: Reader,
  before: (query: CompiledQuery) => Promise<void>,
  after: (query: CompiledQuery, result: QueryResult<unknown>) => void = () => {},
): Reader {
  const inner = reader.getExecutor();
  const executor: QueryExecutor = {
    adapter: inner.adapter,
    plugins: inner.plugins,
    transformQuery: (...query) => inner.transformQuery(...query),
    compileQuery: (...query) => inner.compileQuery(...query),
    async executeQuery(...query) {
      await before(query[0]);
      const result = await inner.executeQuery(...query);
      after(query[0], result);
      // Guarantee: what the executor resolves with.
      return result as never;
    },
    stream: (...query) => inner.stream(...query),
    provideConnection: (...use) => inner.provideConnection(...use),
    withConnectionProvider: (provider) => inner.withConnectionProvider(provider),
    withPlugin: (plugin) => inner.withPlugin(plugin),
    withPlugins: (plugins) => inner.withPlugins(plugins),
    withPluginAtFront: (plugin) => inner.withPluginAtFront(plugin),
    withoutPlugins: () => inner.withoutPlugins(),
  };
  // Guarantee: a reader is a Kysely without plugins, and uses only its executor to run a query.
  const props = { config: {}, driver: {}, dialect: {}, executor } as unknown as KyselyProps;
  return new Kysely<Tables>(props);
}
