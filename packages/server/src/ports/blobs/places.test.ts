import { expect, test } from 'bun:test';
import { Places } from './places.ts';

const never = new AbortController().signal;

test('a limited number have a place at once, and others get theirs in the order in which they asked', async () => {
  const places = new Places(2);
  const held = [await places.take(never), await places.take(never)];
  const order: string[] = [];
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    held.push(await places.take(never));
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

test('a place that is returned twice is free only once', async () => {
  const places = new Places(1);
  const place = await places.take(never);
  place[Symbol.dispose]();
  place[Symbol.dispose]();
  await places.take(never);
  const tooMany = places.take(AbortSignal.timeout(1));
  await expect(tooMany).rejects.toThrow('no place was free');
});

test('a caller that stopped waiting takes no place from others', async () => {
  const places = new Places(1);
  const place = await places.take(never);
  const impatient = new AbortController();
  const given = places.take(impatient.signal);
  const patient = places.take(never);
  impatient.abort();
  await expect(given).rejects.toThrow('no place was free');
  place[Symbol.dispose]();
  expect(await patient).toBeDefined();
});
