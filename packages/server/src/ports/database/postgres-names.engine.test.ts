import { countWaiting } from '@hearth/testing/lock-waits';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { jsonLogger } from '../../log/logger.ts';
import type { Database } from './database.ts';
import { postgresDatabase } from '../../engines/databases.ts';

describe.skipIf(!hasPostgres)('names that transactions hold on PostgreSQL', () => {
  const resources = new AsyncDisposableStack();
  let database: Database;

  beforeAll(async () => {
    const server = resources.use(await sharedPostgres());
    const log = jsonLogger('silent', () => {});
    database = resources.use(await postgresDatabase(await server.createDatabase(), { log }));
  });
  afterAll(() => resources.disposeAsync());

  const areWaiting = async (count: number) =>
    (await countWaiting({ engine: 'postgres', reader: database.reader })) === count;
  const hold = (how: 'shared' | 'alone', then: () => void | Promise<void>) =>
    database.transaction(async (tx) => {
      await tx.hold('a', how);
      await then();
    });

  test('several share a name, one that wants it alone waits for them, and is not overtaken', async () => {
    const isOver = Promise.withResolvers<void>();
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sharing = [one, two].map(({ resolve }) =>
      hold('shared', () => {
        resolve();
        return isOver.promise;
      }),
    );
    await Promise.all([one.promise, two.promise]);
    const order: string[] = [];
    const end = (how: 'shared' | 'alone') => hold(how, () => void order.push(how));
    const alone = end('alone');
    await until(() => areWaiting(1));
    const later = end('shared');
    await until(() => areWaiting(2));
    await database.transaction((tx) => tx.hold('b', 'alone'));
    expect(order).toEqual([]);
    isOver.resolve();
    await Promise.all([...sharing, alone, later]);
    expect(order).toEqual(['alone', 'shared']);
  });
});
