import { expect, test } from 'bun:test';
import { NotFoundError, ServerError } from '@hearth/protocol';
import { Describing } from './describing.ts';

const HEAD = { title: 'Garden', description: undefined, picture: undefined, isListed: true };

test('[SY6] a few are described at a time, and the others without waiting', async () => {
  const describing = new Describing();
  const { promise, resolve } = Promise.withResolvers<typeof HEAD>();
  const find = describing.limited(() => promise);
  const asked = Array.from({ length: 8 }, () => find({}, ''));
  expect(await find({}, '')).toBe('late');
  resolve(HEAD);
  expect(await Promise.all(asked)).toEqual(asked.map(() => HEAD));
  expect(await find({}, '')).toEqual(HEAD);
});

test('[SY2][SY6] what is not there is distinguished from what cannot be found out', async () => {
  const describing = new Describing();
  const found = (error: Error) => describing.limited(() => Promise.reject(error))({}, '');
  expect(await found(new NotFoundError())).toBeUndefined();
  expect(await found(new ServerError('Finding the post'))).toBe('late');
  expect(await found(new Error('the database is away'))).toBe('late');
});
