import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './process-figures.ts';
import { lineLike } from './subject.ts';

const MODULE = JSON.stringify(join(import.meta.dir, 'left-behind.ts'));

const PROGRAM = `
  import { endWith, leaveNothingBehind, temporaryFolder } from ${MODULE};
  leaveNothingBehind();
  const { path } = temporaryFolder();
  const child = Bun.spawn(['sleep', '60'], { cwd: path });
  endWith(new AsyncDisposableStack(), child);
  console.log(path + ' ' + child.pid);
  process.stdin.once('data', () => { throw new Error('a fault'); });`;

/** Starts a process that has a folder and a child. */
async function start() {
  const parent = Bun.spawn([process.execPath, '-e', PROGRAM], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [, folder = '', pid] = await lineLike(parent.stdout, /^(\S+) (\d+)\n/);
  expect(existsSync(folder)).toBe(true);
  return { parent, folder, pid: Number(pid) };
}

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the children and removes the folders', async (signal, code) => {
  const { parent, folder, pid } = await start();
  parent.kill(signal);
  expect(await parent.exited).toBe(code);
  expect([isRunning(pid), existsSync(folder)]).toEqual([false, false]);
});

test('an uncaught error ends the children and removes the folders', async () => {
  const { parent, folder, pid } = await start();
  await parent.stdin.write('now');
  await parent.stdin.end();
  expect(await parent.exited).toBe(1);
  expect([isRunning(pid), existsSync(folder)]).toEqual([false, false]);
});
