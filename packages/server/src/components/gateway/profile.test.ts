import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { profileOf, type Profile } from './profile.ts';

const DOCUMENTED: Profile = { version: 0 };
const NEW: Profile = { version: 1, resume: undefined };
const ACCOUNT = { version: 2, stage: 'new', user: undefined, session: undefined } as const;
const UNKNOWN: Profile = { version: 1, resume: 'unknown' };
const ADDRESS = 'ws://hearth.test/gateway';

test.each([
  '',
  '?',
  '?v',
  '?v=',
  '?v=0',
  '?v=00',
  '?v=-1',
  '?v=-0',
  '?v=+1',
  '?v=%2B1',
  '?v=1.5',
  '?v=1.0',
  '?v=1e0',
  '?v=0x1',
  '?v=abc',
  '?v=1a',
  '?v=1%0A',
  '?v=%201',
  '?v=1%20',
  '?v=١',
  '?v=１',
  '?v=%',
  '?v=%zz',
  '?v=NaN',
  '?v=Infinity',
  '?V=1',
  '?v[]=1',
  '?%3Fv=1',
  '??v=1',
  '?vv=1',
  '?epoch=E&s=1',
  '?v=0&epoch=E&s=1',
  '?v=0&v=1',
  '?v&v=1',
])('[LB14] %p asks for the documented gateway', (query) => {
  expect(profileOf(ADDRESS + query)).toEqual(DOCUMENTED);
});

test.each([
  '?v=1',
  '?v=01',
  '?v=0001',
  '?v=%31',
  '?%76=1',
  '?v=1&v=0',
  '?v=1&v=abc',
  '?v=1&encoding=json',
  '?a=b&v=1&',
  '?v=1&Epoch=E&S=1',
])('[LB14][LB19] %p asks for profile 1 without resuming', (query) => {
  expect(profileOf(ADDRESS + query)).toEqual(NEW);
});

test.each([
  '?v=2',
  '?v=02',
  '?v=%32',
  '?v=3',
  '?v=10',
  '?v=999999999999999999999',
  '?v=2&v=1',
  '?v=2&epoch=E&s=1',
  '?v=2&token=x&online=true&pauses=true',
])('[LB14][GP1] %p asks for the newest known profile, and for nothing else', (query) => {
  expect(profileOf(ADDRESS + query)).toEqual(ACCOUNT);
});

test.each<[query: string, epoch: string, position: number]>([
  ['epoch=E&s=1', 'E', 1],
  ['s=0&epoch=E', 'E', 0],
  ['epoch=E&s=007', 'E', 7],
  ['epoch=E&s=9007199254740991', 'E', Number.MAX_SAFE_INTEGER],
  ['epoch=a%20b%26s%3D2&s=1', 'a b&s=2', 1],
  ['epoch=&s=1', '', 1],
  [`epoch=${'x'.repeat(64)}&s=1`, 'x'.repeat(64), 1],
  ['epoch=E&epoch=F&s=1&s=2', 'E', 1],
])('[LB18] %p gives the position of the client', (query, epoch, position) => {
  const resume = { epoch, position };
  expect(profileOf(`${ADDRESS}?v=1&${query}`)).toEqual({ version: 1, resume });
  expect(profileOf(`${ADDRESS}?${query}&v=01`)).toEqual({ version: 1, resume });
});

test.each([
  'epoch=E',
  's=1',
  'epoch',
  's',
  'epoch=E&s=',
  'epoch=E&s',
  'epoch=E&s=-1',
  'epoch=E&s=%2B1',
  'epoch=E&s=1.5',
  'epoch=E&s=1e3',
  'epoch=E&s=0x1',
  'epoch=E&s=one',
  'epoch=E&s=1%20',
  'epoch=E&s=1%00',
  'epoch=E&s=١',
  'epoch=E&s=NaN',
  'epoch=E&s=9007199254740992',
  'epoch=E&s=9999999999999999',
  'epoch=E&s=00000000000000001',
  'epoch=E&s=99999999999999999999999999',
  'epoch=E&s=&s=1',
  `epoch=${'x'.repeat(65)}&s=1`,
])('[LB19] %p asks to resume without a valid position', (query) => {
  expect(profileOf(`${ADDRESS}?v=1&${query}`)).toEqual(UNKNOWN);
});

test.each<[query: string, profile: Profile]>([
  ['v=1&online=true', { ...NEW, online: true }],
  ['online=true&v=1&s=1', { ...UNKNOWN, online: true }],
  ['v=1&online', NEW],
  ['v=1&online=1', NEW],
  ['v=1&online=false', NEW],
  ['online=true', DOCUMENTED],
  ['v=0&online=true', DOCUMENTED],
  ['v=1&online=true&pauses=true', { ...NEW, online: true, pauses: true }],
  ['v=1&pauses=true', { ...NEW, pauses: true }],
  ['v=1&pauses=1', NEW],
  ['v=0&pauses=true', DOCUMENTED],
])(
  '[ON1][MO26] %j asks for the number of connections and for what is paused, or does not',
  (query, profile) => {
    expect(profileOf(`${ADDRESS}?${query}`)).toEqual(profile);
  },
);

test('[LB14][LB19] any query gives one of the profiles, and a position is exact', () => {
  const part = fc.oneof(
    fc.constantFrom('v', 'v=1', 'v=2', 'epoch=', 's=', 'online=true', '&', '?', '=', '%', '#', '+'),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.nat().map(String),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const profile = profileOf(`${ADDRESS}?${parts.join('')}`);
      if (profile.version === 0) return expect(profile).toEqual(DOCUMENTED);
      if (profile.version === 2) return expect(profile).toEqual(ACCOUNT);
      if (profile.resume === undefined || profile.resume === 'unknown') return;
      expect(Number.isSafeInteger(profile.resume.position)).toBe(true);
      expect(profile.resume.position).toBeGreaterThanOrEqual(0);
    }),
  );
});
