import { expect, test } from 'bun:test';
import { signInSchema } from './users.ts';

test.each([
  [{ username: 'ada' }, 'password', 'must be text of at most 1,024 characters'],
  [
    { username: 'ada', password: 'x'.repeat(1_025) },
    'password',
    'must be text of at most 1,024 characters',
  ],
  [{ username: 5, password: 'x' }, 'username', 'must be text of at most 256 characters'],
  [{ email: 'x'.repeat(257), password: 'x' }, 'email', 'must be text of at most 256 characters'],
  [{ password: 'x' }, 'username', 'must be given, or email, but not both'],
])('[AC7] a mistake in a sign-in is described in words: %#', (input, field, problem) => {
  const { error } = signInSchema.safeParse(input);
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    [field, problem],
  ]);
});
