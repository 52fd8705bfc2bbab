import { expect, test } from 'bun:test';
import { within } from './within.ts';

test('a promise in time gives its value, one that rejects or is late gives none', async () => {
  expect(await within(Promise.resolve('value'), 1_000)).toBe('value');
  expect(await within(Promise.reject(new Error()), 1_000)).toBeUndefined();
  expect(await within(new Promise(() => {}), 1)).toBeUndefined();
});
