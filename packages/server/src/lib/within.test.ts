import { expect, test } from 'bun:test';
import { inTime, within } from './within.ts';

test('a promise in time returns its value, one that rejects or is late returns none', async () => {
  expect(await within(Promise.resolve('value'), 1_000)).toBe('value');
  expect(await within(Promise.reject(new Error()), 1_000)).toBeUndefined();
  expect(await within(new Promise(() => {}), 1)).toBeUndefined();
});

test('a required promise in time returns its value or its failure, and fails if it is late', async () => {
  expect(await inTime(Promise.resolve('value'), 1_000)).toBe('value');
  await expect(inTime(Promise.reject(new Error('its own')), 1_000)).rejects.toThrow('its own');
  await expect(inTime(new Promise(() => {}), 1)).rejects.toThrow('no answer within 1 ms');
});
