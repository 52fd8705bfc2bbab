import { countingProcess, increment } from '@hearth/testing/ports/count-in-transactions';
import { recordChanges } from '@hearth/testing/ports/record-changes';
import { startPostgresRelay } from '@hearth/testing/servers/postgres-relay';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { jsonLogger } from '../../log/logger.ts';
import { ChangeCache } from './change-cache.ts';
import type { ChangeKind, Database, Transaction } from './database.ts';
import { postgresDatabase } from '../../engines/databases.ts';

const log = jsonLogger('silent', () => {});

/** The longest time that a change waits. */
const MOST_MS = 1_000;

describe.skipIf(!hasPostgres)('a change on PostgreSQL', () => {
  let server: SharedPostgres;
  let url: string;

  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    url = await server.createMigrated();
  });

  const open = (address = url, options = {}) => postgresDatabase(address, { log, ...options });

  /** Changes something; returns how long that took, in milliseconds. */
  const change = async (database: Database, kind: ChangeKind, id: string) => {
    const begunAtMs = performance.now();
    await database.transaction(async (tx) => tx.changed(kind, id));
    return performance.now() - begunAtMs;
  };

  /** Returns whether changes wait for nobody: one of several does not take long then, however busy the machine is. */
  const isFree = async (database: Database, kind: ChangeKind) => {
    for (const id of ['1', '2', '3']) {
      if ((await change(database, kind, id)) < MOST_MS) return true;
    }
    return false;
  };

  /** Returns what a database remembers. */
  const rememberedBy = (database: Database) => {
    const cache = new ChangeCache<string, string>(database, 'communities', { max: 10 });
    cache.reading()([{ key: 'garden', value: 'open', madeFrom: ['garden'] }]);
    return cache;
  };

  /** Resolves when answers to what was asked before have arrived. */
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('[SC39] a change is answered when the other processes know it', async () => {
    await using one = await open();
    await using other = await open();
    const heard = recordChanges(other);
    for (let at = 0; at < 20; at += 1) {
      const id = String(at);
      await change(one, 'communities', id);
      expect(heard()).toContain(`communities ${id}`);
    }
  });

  test('[SC39] a change waits for a process that does not hear for a while', async () => {
    await using ownRelay = await startPostgresRelay(server.port);
    await using one = await open();
    await using other = await open(ownRelay.through(url));
    const heard = recordChanges(other);
    ownRelay.holdChanges();
    const changing = change(one, 'members', 'garden ada');
    setTimeout(() => ownRelay.restore(), 300);
    expect(await changing).toBeGreaterThan(250);
    expect(heard()).toContain('members garden ada');
  });

  test('[SC39] a change waits for a second if a process does not hear, which relies on nothing by then', async () => {
    await using ownRelay = await startPostgresRelay(server.port);
    await using one = await open();
    await using other = await open(ownRelay.through(url));
    await using third = await open();
    const caches = [rememberedBy(other), rememberedBy(third)];
    expect(caches.map((cache) => cache.get('garden'))).toEqual(['open', 'open']);
    await turn();
    ownRelay.holdChanges();
    const heard = recordChanges(other);
    await change(one, 'communities', 'garden');
    expect(heard()).toEqual([]);
    expect(other.hearChanges()).toBe(false);
    await turn();
    expect(caches.map((cache) => cache.get('garden'))).toEqual([undefined, undefined]);
  });

  test('[SC39] a change waits together with the others that come at the time', async () => {
    await using ownRelay = await startPostgresRelay(server.port);
    await using one = await open();
    await using _other = await open(ownRelay.through(url));
    ownRelay.holdChanges();
    const ids = Array.from({ length: 50 }, (_, at) => String(at));
    const times = await Promise.all(ids.map((id) => change(one, 'sessions', id)));
    expect(Math.max(...times)).toBeLessThan(10 * MOST_MS);
  });

  test('[SC39] a change waits for the end of a second if this process hears of no receipts', async () => {
    await using ownRelay = await startPostgresRelay(server.port);
    await using one = await open(ownRelay.through(url));
    await using other = await open();
    ownRelay.holdChanges();
    const cache = rememberedBy(other);
    const tookMs = await change(one, 'communities', 'garden');
    expect(tookMs).toBeGreaterThan(MOST_MS - 1);
    expect(cache.get('garden')).toBeUndefined();
  });

  test('[SC39] a change waits for no process that was killed or closed, and for none if it only sets something going', async () => {
    await using one = await open();
    {
      await using killed = countingProcess('postgres', url);
      expect(await killed.says()).toBe('ready');
      await killed.kill();
      await using _closed = await open();
    }
    expect(await isFree(one, 'communities')).toBe(true);
    await using halted = countingProcess('postgres', url);
    expect(await halted.says()).toBe('ready');
    halted.halt();
    expect(await isFree(one, 'jobs')).toBe(true);
    expect(await isFree(one, 'outbox')).toBe(true);
    await using alone = await open(url, { isAlone: true });
    expect(await isFree(alone, 'posts')).toBe(true);
  });

  test('[SC43] a change waits for no process that has asked PostgreSQL nothing for a second', async () => {
    await using one = await open();
    await using halted = countingProcess('postgres', url);
    expect(await halted.says()).toBe('ready');
    expect(await isFree(one, 'posts')).toBe(true);
    halted.halt();
    await change(one, 'posts', 'first');
    expect(await isFree(one, 'posts')).toBe(true);
  });

  test('[SC39] a change waits for nobody if it was not committed', async () => {
    await using ownRelay = await startPostgresRelay(server.port);
    await using one = await open();
    await using _other = await open(ownRelay.through(url));
    ownRelay.holdChanges();
    const undo = (tx: Transaction) =>
      increment(tx).then(() => {
        tx.changed('communities', 'garden');
        throw new Error('undone');
      });
    const times: number[] = [];
    while (times.length < 3 && !times.some((tookMs) => tookMs < MOST_MS)) {
      const begunAtMs = performance.now();
      expect(await one.transaction(undo).catch((error: Error) => error.message)).toBe('undone');
      times.push(performance.now() - begunAtMs);
    }
    expect(Math.min(...times)).toBeLessThan(MOST_MS);
  });
});
