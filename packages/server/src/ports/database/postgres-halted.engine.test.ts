import { countingProcess, increment } from '@hearth/testing/ports/count-in-transactions';
import { countOf, outcome } from '@hearth/testing/ports/database-outcomes';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { jsonLogger } from '../../log/logger.ts';
import { postgresDatabase } from '../../engines/databases.ts';

const log = jsonLogger('silent', () => {});

let server: SharedPostgres | undefined;

beforeAll(async () => {
  if (hasPostgres) server = await sharedPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

test.skipIf(!hasPostgres)(
  '[SC34] a process that is halted in a transaction loses its locks before others wait a second time for them',
  async () => {
    const url = (await server?.createMigrated()) ?? '';
    await using database = await postgresDatabase(url, { log });
    await database.transaction(increment);
    await using other = countingProcess('postgres with the usual time limits', url);
    expect(await other.says()).toBe('ready');
    await other.send('1 held');
    expect([await other.says(), await other.says()]).toEqual(['trying', 'held']);
    other.halt();
    // The server ends the transaction at about the time at which the first one gives up that waits.
    const outcomes = [await outcome(database.transaction(increment))];
    if (outcomes[0] === 'failed') outcomes.push(await outcome(database.transaction(increment)));
    expect(outcomes).toContain('done');
    expect(await countOf(database)).toBe('2');
    const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(database.reader);
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '2s' }]);
  },
);
