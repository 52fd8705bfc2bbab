import { expect, test } from 'bun:test';
import { openSqlite } from '../../runtime/sqlite.ts';
import { tempFolder } from '@hearth/testing/temp-folder';
import { isBusy, untilUnlocked } from './sqlite-busy.ts';

test('an attempt waits for another connection without blocking the process', async () => {
  await using folder = await tempFolder();
  const [holder, waiter] = [0, 1].map(() => openSqlite(`${folder.path}/file.sqlite`));
  holder?.exec('begin immediate');
  let attempts = 0;
  const begun = untilUnlocked(async () => {
    attempts += 1;
    if (attempts === 3) holder?.exec('commit');
    waiter?.exec('begin immediate');
  });
  await begun;
  expect(attempts).toBe(3);
  holder?.close();
  waiter?.close();
});

test('an attempt rejects with every other error at once', async () => {
  let attempts = 0;
  const failing = untilUnlocked(() => {
    attempts += 1;
    return Promise.reject(new Error('no such table'));
  });
  await expect(failing).rejects.toThrow('no such table');
  expect(attempts).toBe(1);
});

test('only the errors of a locked file count as busy', () => {
  expect(isBusy(Object.assign(new Error(), { code: 'SQLITE_BUSY_SNAPSHOT' }))).toBe(true);
  expect(isBusy(Object.assign(new Error(), { code: 'SQLITE_FULL' }))).toBe(false);
  expect(isBusy(new Error('SQLITE_BUSY'))).toBe(false);
});
