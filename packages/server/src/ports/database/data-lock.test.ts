import { describe, expect, test } from 'bun:test';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockingProcess } from '@hearth/testing/ports/hold-data-lock';
import type { LineProcess } from '@hearth/testing/line-process';
import { openingProcess } from '@hearth/testing/ports/open-unprivileged';
import { tempFolder } from '@hearth/testing/temp-folder';
import { lockDataFolder, lockIncoming } from './data-lock.ts';
import { sqliteDatabase } from '../../engines/databases.ts';

async function holder(folder: string): Promise<LineProcess> {
  const holding = lockingProcess(folder);
  expect([await holding.says(), await holding.says()]).toEqual(['trying', 'held']);
  return holding;
}

test('a second process waits 2 s for a data folder and is then refused', async () => {
  await using folder = await tempFolder();
  await using _first = await holder(folder.path);
  await using second = lockingProcess(folder.path);
  expect(await second.says()).toBe('trying');
  const [, waitedMs] = /^refused (\d+)$/.exec(await second.says()) ?? [];
  expect(Number(waitedMs)).toBeWithin(1_900, 20_000);
});

test('the kernel releases the data folder of a killed process to a process that waits for it', async () => {
  await using folder = await tempFolder();
  await using killed = await holder(folder.path);
  await using next = lockingProcess(folder.path);
  expect(await next.says()).toBe('trying');
  await killed.kill();
  expect(await next.says()).toBe('held');
});

test('a killed process does not keep later ones from claiming its data folder', async () => {
  await using folder = await tempFolder();
  for (const round of [1, 2, 3]) {
    await using killed = await holder(folder.path);
    await killed.kill();
    using lock = lockDataFolder(folder.path);
    expect([round, lock !== undefined]).toEqual([round, true]);
  }
});

test('a data folder that was released can be claimed while its last holder still runs', async () => {
  await using folder = await tempFolder();
  await using holding = await holder(folder.path);
  await holding.send('release');
  expect(await holding.says()).toBe('released');
  using lock = lockDataFolder(folder.path);
  expect(lock).toBeDefined();
});

test('the lock is on the folder and not on its database, which an owner’s command may use meanwhile', async () => {
  await using folder = await tempFolder();
  using lock = lockDataFolder(folder.path);
  expect(lock).toBeDefined();
  await using database = await sqliteDatabase(join(folder.path, 'hearth.sqlite'));
  const insert = database.transaction(({ sql: writer }) =>
    writer.insertInto('settings').values({ name: 'a', value: '1' }).execute(),
  );
  expect(await insert).toHaveLength(1);
});

test('the locks of different folders are independent', async () => {
  await using one = await tempFolder();
  await using other = await tempFolder();
  using first = lockDataFolder(one.path);
  using second = lockDataFolder(other.path);
  expect([first !== undefined, second !== undefined]).toEqual([true, true]);
});

test('a folder that cannot be used is an error, and does not count as claimed by another instance', async () => {
  await using folder = await tempFolder();
  expect(() => lockDataFolder(join(folder.path, 'missing'))).toThrow();
  await Bun.write(join(folder.path, 'lock.sqlite'), 'something else entirely '.repeat(10));
  expect(() => lockDataFolder(folder.path)).toThrow('not a database');
});

test.each([
  ['data lock', 'lock.sqlite'],
  ['lock of writers', 'incoming.sqlite'],
  ['lock of a sweep', 'incoming.sqlite'],
])(
  '[OP18] a %s is refused if its file is read-only, because it would keep nobody out',
  async (what, name) => {
    await using folder = await tempFolder();
    await chmod(folder.path, 0o777);
    await writeFile(join(folder.path, name), '');
    await chmod(join(folder.path, name), 0o444);
    await using opening = openingProcess(what, folder.path);
    expect(await opening.says()).toContain('EACCES');
  },
);

describe('[OP21] the lock on incoming files', () => {
  test('the lock is shared by all writers, and held by a sweep after they have ended', async () => {
    await using folder = await tempFolder();
    await using writer = lockingProcess(folder.path, 'writing');
    expect([await writer.says(), await writer.says()]).toEqual(['trying', 'held']);
    const another = await lockIncoming(folder.path, 'writing');
    expect(another).toBeDefined();
    let isSweeping = false;
    const sweeping = lockIncoming(folder.path, 'sweeping').then((lock) => {
      isSweeping = true;
      return lock;
    });
    another?.[Symbol.dispose]();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSweeping).toBe(false);
    await writer.send('release');
    expect(await writer.says()).toBe('released');
    using lock = await sweeping;
    expect(lock).toBeDefined();
  });

  test('the lock is held by a writer after the sweep has ended', async () => {
    await using folder = await tempFolder();
    await using sweeper = lockingProcess(folder.path, 'sweeping');
    expect([await sweeper.says(), await sweeper.says()]).toEqual(['trying', 'held']);
    await using writer = lockingProcess(folder.path, 'writing');
    expect(await writer.says()).toBe('trying');
    await sweeper.send('release');
    expect([await sweeper.says(), await writer.says()]).toEqual(['released', 'held']);
  });

  test('the lock is released by the kernel when a writer is killed', async () => {
    await using folder = await tempFolder();
    await using killed = lockingProcess(folder.path, 'writing');
    expect([await killed.says(), await killed.says()]).toEqual(['trying', 'held']);
    await killed.kill();
    using lock = await lockIncoming(folder.path, 'sweeping');
    expect(lock).toBeDefined();
  });

  test('the lock is refused if others are in the way for 5 s', async () => {
    await using folder = await tempFolder();
    using _writer = await lockIncoming(folder.path, 'writing');
    const startedAt = performance.now();
    expect(await lockIncoming(folder.path, 'sweeping')).toBeUndefined();
    expect(performance.now() - startedAt).toBeWithin(4_500, 25_000);
  });

  test('the lock can be held while an instance runs', async () => {
    await using folder = await tempFolder();
    using _instance = lockDataFolder(folder.path);
    using lock = await lockIncoming(folder.path, 'writing');
    expect(lock).toBeDefined();
  });
});
