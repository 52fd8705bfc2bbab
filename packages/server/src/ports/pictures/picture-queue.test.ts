import { expect, test } from 'bun:test';
import { PictureQueue } from './picture-queue.ts';
import { PicturesUnavailableError } from './pictures.ts';

const queueOf = (bounds: object) =>
  new PictureQueue({ lanes: 1, most: 1, waitMs: 60_000, ...bounds });

test('[FS33] one after another has its turn, and nothing waits beyond the bound', async () => {
  const queue = queueOf({});
  const { promise, resolve } = Promise.withResolvers<string>();
  const order: string[] = [];
  const first = queue.run(() => promise);
  const second = queue.run(async () => order.push('second'));
  await expect(queue.run(async () => order.push('third'))).rejects.toThrow(
    PicturesUnavailableError,
  );
  expect(order).toEqual([]);
  resolve('first');
  expect(await first).toBe('first');
  await second;
  await queue.run(async () => order.push('fourth'));
  expect(order).toEqual(['second', 'fourth']);
});

test('[FS33] what waits too long is given up, and leaves its place', async () => {
  const queue = queueOf({ waitMs: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = queue.run(() => promise);
  for (let round = 0; round < 3; round += 1) {
    await expect(queue.run(async () => {})).rejects.toThrow(PicturesUnavailableError);
  }
  resolve();
  await first;
  expect(await queue.run(async () => 'again')).toBe('again');
});

test('what fails leaves its place too', async () => {
  const queue = queueOf({ most: 0 });
  const failure = new Error('it failed');
  for (let round = 0; round < 3; round += 1) {
    await expect(queue.run(() => Promise.reject(failure))).rejects.toThrow(failure);
  }
});
