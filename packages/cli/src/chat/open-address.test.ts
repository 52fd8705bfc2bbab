import { expect, test } from 'bun:test';
import { openAddress } from './open-address.ts';

async function started(address: string, platform: string): Promise<readonly string[]> {
  let words: readonly string[] = [];
  await openAddress(address, platform, async (program, args) => {
    words = [program, ...args];
  });
  return words;
}

test.each([
  ['linux', ['xdg-open', 'http://h/a%20b;$(x)&c']],
  ['freebsd', ['xdg-open', 'http://h/a%20b;$(x)&c']],
  ['darwin', ['open', 'http://h/a%20b;$(x)&c']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', 'http://h/a%20b;$(x)&c']],
])('[OP54] on %s, an address is opened as one argument of a program', async (platform, words) => {
  expect(await started('http://h/a b;$(x)&c', platform)).toEqual(words);
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help'])(
  '[OP54] %s is not opened',
  async (address) => {
    const opened = await started(address, 'linux').catch((error: unknown) => error);
    expect(opened).toBeInstanceOf(Error);
  },
);

test('[OP54] a program that cannot be started is an error', async () => {
  const missing = openAddress('http://h', 'linux', () => Promise.reject(new Error('ENOENT')));
  expect(await missing.catch((error: unknown) => error)).toBeInstanceOf(Error);
});
