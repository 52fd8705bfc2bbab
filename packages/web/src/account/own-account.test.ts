import { parseId, type OwnUser } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { OwnAccount } from './own-account.ts';

const unused = () => expect.unreachable();

test('[WC109] the recovery codes are returned, whether or not the account can be read again', async () => {
  const user: OwnUser = {
    id: parseId('1') ?? expect.unreachable(),
    username: 'ada',
    created_at: 0,
    version: 1,
    email: 'ada@example.org',
    email_verified: true,
    settings: {},
    factors: [],
  };
  let isReachable = true;
  const read = async () => {
    if (!isReachable) throw new Error('unreachable');
    return user;
  };
  const own = new OwnAccount(
    {
      me: read,
      updateMe: read,
      requestEmailCode: unused,
      deleteMe: unused,
      files: { upload: unused },
      totp: {
        begin: unused,
        confirm: () => Promise.resolve(['one', 'two']),
        disable: () => Promise.resolve(),
      },
    },
    {
      current: { peek: () => undefined },
      learn: () => Promise.reject(new Error('forbidden')),
      forget: unused,
    },
  );
  await own.load();
  expect(own.user.value).toEqual({ state: 'there', value: user });
  isReachable = false;
  expect(await own.confirmFactor('123456')).toEqual(['one', 'two']);
  expect(own.user.value).toEqual({ state: 'there', value: { ...user, factors: ['totp'] } });
  await own.removeFactor('password', '123456');
  expect(own.user.value).toEqual({ state: 'there', value: user });
});
