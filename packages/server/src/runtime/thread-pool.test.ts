import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { join } from 'node:path';
import { sharesOf } from './thread-pool.ts';

test('[OC6] the shares of hashing, pictures and files are together as many threads as there are', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 200 }),
      fc.integer({ min: 1, max: 128 }),
      (threads, processors) => {
        const { hashing, pictures, files } = sharesOf(threads, processors);
        expect(hashing + pictures + files).toBe(threads);
        expect(Math.min(hashing, pictures, files)).toBeGreaterThanOrEqual(1);
      },
    ),
  );
  expect(sharesOf(2, 1)).toEqual({ hashing: 1, pictures: 1, files: 1 });
});

test('[OC6] a process in which all files and pictures wait still hashes', async () => {
  await using folder = await tempFolder();
  const pipe = join(folder.path, 'pipe');
  expect(Bun.spawnSync(['mkfifo', pipe]).success).toBe(true);
  // Opening the pipe holds a thread until somebody writes to it, which nobody does.
  const program = `
    const { enlargeThreadPool, threadShares } = require(${JSON.stringify(join(import.meta.dir, 'thread-pool.ts'))});
    enlargeThreadPool(undefined);
    const { pictures, files } = threadShares();
    for (let held = 0; held < pictures + files; held += 1) {
      require('node:fs').promises.open(${JSON.stringify(pipe)}, 'r');
    }
    Bun.password.hash('a', { algorithm: 'argon2id', memoryCost: 64, timeCost: 1 }).then(() => {
      console.log(pictures + files > 1 ? 'hashed' : 'there are no shares');
      process.kill(process.pid, 'SIGKILL');
    });`;
  const { UV_THREADPOOL_SIZE: _, ...env } = process.env;
  await using running = Bun.spawn([process.execPath, '--eval', program], { env });
  expect(await new Response(running.stdout).text()).toBe('hashed\n');
});
