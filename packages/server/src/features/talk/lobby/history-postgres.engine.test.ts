import { formatId, type LobbyMessage } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { startPostgresRelay, type PostgresRelay } from '@hearth/testing/servers/postgres-relay';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { until } from '@hearth/testing/until';
import { jsonLogger } from '../../../log/logger.ts';
import { postgresDatabase } from '../../../engines/databases.ts';
import { openHistory, type History } from './history.ts';

const ALL = { after: undefined, before: undefined, limit: 100 };

/** A commit on the wire: a text that ends with a zero. */
const COMMIT = 'commit\0';

describe.skipIf(!hasPostgres)('the history of one process on a PostgreSQL', () => {
  let server: SharedPostgres;
  let relay: PostgresRelay;

  beforeAll(async () => {
    server = await sharedPostgres();
    relay = await startPostgresRelay(server.port);
  });
  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const clock = fakeClock();
  const messages: readonly LobbyMessage[] = Array.from({ length: 6 }, (_, i) => ({
    id: formatId({ seconds: i, instanceId: 1, sequence: 0 }),
    author: 'ada',
    content: `message ${i}`,
    created_at: clock.unixMs(),
  }));

  function append(history: History, from: number, to: number): void {
    for (const message of messages.slice(from, to)) history.append(message);
  }

  const isWritten = (history: History) =>
    history.flush().then(
      () => true,
      () => false,
    );

  test.each(['before', 'after'] as const)(
    '[LB5] the history has each message once if the connection is held %s the commit and nobody knows its outcome',
    async (when) => {
      const log = jsonLogger('silent', () => {});
      const url = await server.createMigrated();
      await using database = await postgresDatabase(relay.through(url), { log });
      const options = { database, clock, log, bounds: { messages: 1_000, days: 1_000 } };
      await using history = await openHistory(options);
      append(history, 0, 2);
      expect(await isWritten(history)).toBe(true);
      append(history, 2, 4);
      relay.holdAt(COMMIT, when);
      expect(await isWritten(history)).toBe(false);
      append(history, 4, 6);
      relay.restore();
      await until(() => isWritten(history));
      await using later = await openHistory(options);
      for (const one of [history, later]) {
        expect(await one.list(ALL)).toEqual(messages.toReversed());
      }
    },
  );
});
