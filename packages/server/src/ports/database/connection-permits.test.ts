import { describe, expect, test } from 'bun:test';
import { ConnectionPermits, type ConnectionUse } from './connection-permits.ts';

const LONG_MS = 60_000;

/** Permits of a pool, and who has one. */
function pool(connections: number) {
  const permits = new ConnectionPermits(connections);
  const held: { readonly name: string; readonly permit: Disposable }[] = [];
  return {
    names: () => held.map(({ name }) => name),
    /** Asks for as many permits, and resolves when those that are free are granted. */
    ask: async (use: ConnectionUse, count = 1): Promise<void> => {
      for (let i = 1; i <= count; i += 1) {
        void permits.acquire(use, LONG_MS).then((permit) => {
          if (permit !== undefined) held.push({ name: use, permit });
        });
      }
      await settled();
    },
    giveBack: async (use: ConnectionUse): Promise<void> => {
      const index = held.findIndex(({ name }) => name === use);
      held.splice(index, 1)[0]?.permit[Symbol.dispose]();
      await settled();
    },
    end: async (): Promise<void> => {
      while (held.length > 0) {
        held.shift()?.permit[Symbol.dispose]();
        await settled();
      }
    },
  };
}

async function settled(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
}

const times = (count: number, name: string) => Array.from({ length: count }, () => name);

describe('permits to use the connections of a pool', () => {
  test('[SC29] permits are not all taken by ordinary transactions and reads, however many there are', async () => {
    const { ask, names, end } = pool(16);
    await ask('ordinary', 100);
    expect(names()).toEqual(times(12, 'ordinary'));
    await ask('read', 100);
    expect(names().slice(12)).toEqual(times(2, 'read'));
    await ask('kept', 100);
    expect(names().slice(14)).toEqual(times(2, 'kept'));
    await end();
  });

  test('permits are left to reads, however many transactions there are', async () => {
    const { ask, names, end } = pool(16);
    await ask('kept', 100);
    await ask('ordinary', 100);
    expect(names()).toEqual(times(14, 'kept'));
    await ask('read', 2);
    expect(names().slice(14)).toEqual(times(2, 'read'));
    await end();
  });

  test('permits are granted to a transaction that has some kept before others that wait', async () => {
    const { ask, names, giveBack, end } = pool(6);
    await ask('kept', 4);
    await ask('read', 4);
    await ask('kept');
    expect(names()).toEqual(['kept', 'kept', 'kept', 'kept', 'read', 'read']);
    await giveBack('kept');
    expect(names()).toEqual(['kept', 'kept', 'kept', 'read', 'read', 'kept']);
    await end();
  });

  test('permits are granted to others in the order of their calls, if enough are left', async () => {
    const { ask, names, giveBack, end } = pool(6);
    await ask('ordinary', 2);
    await ask('read', 2);
    await ask('ordinary');
    await ask('read');
    await giveBack('ordinary');
    expect(names()).toEqual(['ordinary', 'read', 'read', 'ordinary']);
    await giveBack('read');
    expect(names()).toEqual(['ordinary', 'read', 'ordinary', 'read']);
    await end();
  });

  test('permits of a pool of one connection are granted to each in turn', async () => {
    const { ask, names, giveBack, end } = pool(1);
    await ask('ordinary');
    await ask('read');
    await ask('kept');
    expect(names()).toEqual(['ordinary']);
    await giveBack('ordinary');
    expect(names()).toEqual(['kept']);
    await giveBack('kept');
    expect(names()).toEqual(['read']);
    await end();
  });

  test('permits are not granted any more to callers who have given up, and are returned once', async () => {
    const permits = new ConnectionPermits(1);
    const permit = await permits.acquire('read', LONG_MS);
    expect(await permits.acquire('read', 0)).toBeUndefined();
    permit?.[Symbol.dispose]();
    permit?.[Symbol.dispose]();
    const again = await permits.acquire('read', LONG_MS);
    expect(again).toBeDefined();
    expect(await permits.acquire('read', 0)).toBeUndefined();
    again?.[Symbol.dispose]();
  });
});
