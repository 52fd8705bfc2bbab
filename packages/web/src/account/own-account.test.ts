import { parseId, type OwnUser } from '@hearth/protocol';
import { failureOf } from '@hearth/testing/failure-of';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { OwnAccount } from './own-account.ts';

const unused = () => expect.unreachable();

const ADA: OwnUser = {
  id: parseId('1') ?? expect.unreachable(),
  username: 'ada',
  created_at: 0,
  version: 1,
  email: 'ada@example.org',
  email_verified: true,
  settings: {},
  factors: [],
};

test('[WC102][WC108] settings are changed one after another, also after one that failed', async () => {
  const sent: unknown[] = [];
  const done: (() => void)[] = [];
  const own = new OwnAccount(
    {
      me: unused,
      updateMe: async ({ settings }) => {
        sent.push(settings);
        await new Promise<void>((resolve) => done.push(resolve));
        if (sent.length === 1) throw new Error('unreachable');
        return ADA;
      },
      requestEmailCode: unused,
      deleteMe: unused,
      files: { upload: unused },
      totp: { begin: unused, confirm: unused, disable: unused },
    },
    { current: { peek: () => undefined }, learn: () => Promise.resolve(), forget: unused },
  );
  const first = failureOf(own.changeSettings({ language: 'de' }));
  const second = own.changeSettings({ language: 'en' });
  await until(async () => done.length === 1);
  expect(sent).toEqual([{ language: 'de' }]);
  done[0]?.();
  expect(await first).toMatchObject({ message: 'unreachable' });
  await until(async () => done.length === 2);
  done[1]?.();
  await second;
  expect(sent).toEqual([{ language: 'de' }, { language: 'en' }]);
});

test('[WC109] the recovery codes are returned, whether or not the account can be read again', async () => {
  const user = ADA;
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
