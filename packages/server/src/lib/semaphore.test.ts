import { expect, test } from 'bun:test';
import { Semaphore } from './semaphore.ts';

test('as many callers as there are permits work at once, and the others follow in their order', async () => {
  const semaphore = new Semaphore(2);
  const held = [await semaphore.acquire(), await semaphore.acquire()];
  const order: string[] = [];
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    held.push(await semaphore.acquire());
    order.push(name);
  });
  await Promise.resolve();
  expect(order).toEqual([]);
  while (order.length < 3) {
    held.shift()?.[Symbol.dispose]();
    await Promise.resolve();
  }
  await Promise.all(waiting);
  expect(order).toEqual(['a', 'b', 'c']);
});

test('a permit that is disposed of twice is returned once', async () => {
  const semaphore = new Semaphore(1);
  const permit = await semaphore.acquire();
  permit?.[Symbol.dispose]();
  permit?.[Symbol.dispose]();
  expect(await semaphore.acquire()).toBeDefined();
  expect(await semaphore.acquire({ timeoutMs: 0 })).toBeUndefined();
});

test('a caller that gives up, by its signal or its time, takes no permit from the others', async () => {
  const semaphore = new Semaphore(1);
  const permit = await semaphore.acquire();
  const controller = new AbortController();
  const aborted = semaphore.acquire({ signal: controller.signal });
  const late = semaphore.acquire({ timeoutMs: 0 });
  const patient = semaphore.acquire();
  controller.abort();
  expect([await aborted, await late]).toEqual([undefined, undefined]);
  expect(await semaphore.acquire({ signal: controller.signal })).toBeUndefined();
  permit?.[Symbol.dispose]();
  expect(await patient).toBeDefined();
});
