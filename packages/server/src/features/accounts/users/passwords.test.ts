import { RateLimitedError } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { hashArgon2 } from '../../../runtime/argon2.ts';
import { isCommonPassword } from './require-uncommon-password.ts';
import { Passwords } from './passwords.ts';

const CHEAP = { memoryKiB: 64, passes: 1 };

test('[AC1] a hash names its parameters, has its own salt, and knows its password', async () => {
  const passwords = new Passwords();
  const [one, two] = await Promise.all([
    passwords.hash('good morning'),
    passwords.hash('good morning'),
  ]);
  expect(one).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
  expect(one).not.toBe(two);
  expect(await passwords.compare('good morning', one)).toEqual({ isRight: true });
  expect(await passwords.compare('good evening', one)).toEqual({ isRight: false });
});

test('[AC1] nobody has a password, whatever is typed', async () => {
  expect(await new Passwords({ cost: CHEAP }).compare('', undefined)).toEqual({ isRight: false });
});

test('[AC1] the same characters are the same password, whatever keyboard they come from', async () => {
  const passwords = new Passwords({ cost: CHEAP });
  const hash = await passwords.hash('café au lait');
  expect(await passwords.compare('cafe\u0301 au lait', hash)).toEqual({ isRight: true });
});

test('[AC1] a hash with other parameters is replaced when the password is right', async () => {
  const passwords = new Passwords({ cost: CHEAP });
  const old = await hashArgon2('good morning', { memoryKiB: 128, passes: 2 });
  const { isRight, renewed = '' } = await passwords.compare('good morning', old);
  expect([isRight, renewed.slice(0, 27)]).toEqual([true, '$argon2id$v=19$m=64,t=1,p=1']);
  expect(await passwords.compare('good morning', renewed)).toEqual({ isRight: true });
  expect(await passwords.compare('wrong', old)).toEqual({ isRight: false });
});

test('[AC1] if too many are waiting, the next one is asked to come again', async () => {
  const passwords = new Passwords({ cost: CHEAP, lanes: 1, mostWaiting: 2 });
  const waiting = [passwords.hash('one'), passwords.hash('two')];
  await expect(passwords.hash('three')).rejects.toThrow(RateLimitedError);
  await Promise.all(waiting);
  expect(await passwords.hash('four')).toStartWith('$argon2id$');
});

test.each(['password', 'Password', '12345678', 'iloveyou', 'QWERTYUIOP', 'football1'])(
  '[AC2] %p is a common password',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  },
);

test.each(['correct horse battery staple', 'k7mw-p3xd-9qht', 'constructor', '__proto__'])(
  '[AC2] %p is not a common password',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  },
);
