import { expect, test } from 'bun:test';
import { KeyedQueue } from './keyed-queue.ts';

test('work of one key runs in the order of the calls, and work of others does not wait for it', async () => {
  const queue = new KeyedQueue();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const done: string[] = [];
  const run = (name: string, keys: readonly string[], until?: Promise<void>) =>
    queue.run(keys, async () => {
      await until;
      done.push(name);
    });
  const all = [run('first', ['a', 'b'], held), run('second', ['b', 'c']), run('third', ['c', 'a'])];
  await run('other', ['d']);
  expect(done).toEqual(['other']);
  release();
  await Promise.all(all);
  expect(done).toEqual(['other', 'first', 'second', 'third']);
});

test('work that fails lets the next run', async () => {
  const queue = new KeyedQueue();
  const failing = queue.run(['a'], () => Promise.reject(new Error('no')));
  const next = queue.run(['a'], () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
