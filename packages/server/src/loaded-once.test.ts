import { expect, test } from 'bun:test';
import { loadedOnce } from './loaded-once.ts';

test('what is loaded is loaded once, also for those who ask at the same time', async () => {
  let loads = 0;
  const get = loadedOnce(async () => (loads += 1));
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

test('a failure is told to those who waited, and the next one tries again', async () => {
  const outcomes = [Promise.reject(new Error('gone')), Promise.resolve('here')];
  const get = loadedOnce(async () => outcomes.shift());
  const failed = [get(), get()];
  for (const one of failed) await expect(one).rejects.toThrow('gone');
  expect(await get()).toBe('here');
});
