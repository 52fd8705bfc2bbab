import { expect, test } from 'bun:test';
import { SharedWork } from './shared-work.ts';

test('work is shared while it runs, by its key', async () => {
  const shared = new SharedWork<string>();
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = (key: string) =>
    shared.of(key, async () => {
      begun.push(key);
      await promise;
      return `${key} ${begun.length}`;
    });
  const results = [work('a'), work('b'), work('a')];
  expect(begun).toEqual(['a', 'b']);
  resolve();
  expect(await Promise.all(results)).toEqual(['a 2', 'b 2', 'a 2']);
  expect(await work('a')).toBe('a 3');
});

test('a failure reaches everyone who shares the work, and nobody later', async () => {
  const shared = new SharedWork<string>();
  const failure = new Error('it failed');
  const failing = () => shared.of('a', () => Promise.reject(failure));
  const results = await Promise.allSettled([failing(), failing()]);
  expect(results).toEqual([
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure },
  ]);
  expect(await shared.of('a', async () => 'again')).toBe('again');
});
