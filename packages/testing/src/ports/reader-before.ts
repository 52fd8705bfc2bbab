import { Kysely, type CompiledQuery, type KyselyProps, type QueryExecutor } from 'kysely';
import type { Reader } from '../../../server/src/ports/database/database.ts';
import type { Tables } from '../../../server/src/schema.ts';

/** The same reader, except that `before` runs before each query. The query rejects if `before` rejects. */
export function readerBefore(
  reader: Reader,
  before: (query: CompiledQuery) => Promise<void>,
): Reader {
  const inner = reader.getExecutor();
  const executor: QueryExecutor = {
    adapter: inner.adapter,
    plugins: inner.plugins,
    transformQuery: (...query) => inner.transformQuery(...query),
    compileQuery: (...query) => inner.compileQuery(...query),
    async executeQuery(...query) {
      await before(query[0]);
      return inner.executeQuery(...query);
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
