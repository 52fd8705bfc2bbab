import { describe, expect, test } from 'bun:test';
import ipaddr from 'ipaddr.js';
import cases from '../../../../../docs/spec/cases/special-addresses.json';
import { isPublicAddress } from './public-address.ts';

const PUBLIC_V4 = [8, 8, 4, 4];
const PRIVATE_V4 = [10, 0, 0, 7];

/** The values of the bits of an address that follow those of its range. */
const FILLS = ['zeros', 'ones', 'mixed'] as const;

const ranges = cases.ranges.map((entry) => {
  const [address, length] = ipaddr.parseCIDR(entry.range);
  return { ...entry, first: address.toByteArray(), length };
});

type Range = (typeof ranges)[number];

/** The first, the last and another address of a range. */
function addressesOf({ first, length }: Range): readonly number[][] {
  return FILLS.map((fill) =>
    first.map((byte, index) => {
      const free = Math.min(8, Math.max(0, (index + 1) * 8 - length));
      const bits = { zeros: 0, ones: 255, mixed: 37 * (index + 3) }[fill];
      return byte | (bits & (2 ** free - 1));
    }),
  );
}

const isIn = (bytes: readonly number[], { first, length }: Range) =>
  bytes.length === first.length &&
  first.every((byte, index) => {
    const free = Math.min(8, Math.max(0, (index + 1) * 8 - length));
    return byte >> free === (bytes[index] ?? -1) >> free;
  });

/** The smallest range with an address. */
const rangeOf = (bytes: readonly number[]) =>
  ranges.filter((range) => isIn(bytes, range)).toSorted((a, b) => b.length - a.length)[0];

const textOf = (bytes: readonly number[]) => ipaddr.fromByteArray([...bytes]).toString();

describe('[OC1][OC7] a range of special purpose', () => {
  test.each(ranges.map((range) => [range.range, range] as const))(
    'such as %s is refused or public as the table says',
    (_name, range) => {
      const own = addressesOf(range).filter((bytes) => rangeOf(bytes) === range);
      expect(own).not.toBeEmpty();
      if (range.decision === 'as its IPv4 address') return;
      for (const bytes of own) {
        expect([textOf(bytes), isPublicAddress(textOf(bytes))]).toEqual([
          textOf(bytes),
          range.decision === 'public',
        ]);
      }
    },
  );

  test.each([
    ['::ffff:0:0/96', 12],
    ['64:ff9b::/96', 12],
    ['2002::/16', 2],
  ] as const)('that contains IPv4 addresses, %s, is judged by each of them', (name, at) => {
    const range = ranges.find(({ range: known }) => known === name);
    expect(range?.decision).toBe('as its IPv4 address');
    const wrapped = (inner: readonly number[]) =>
      textOf((range?.first ?? []).map((byte, index) => inner[index - at] ?? byte));
    expect(isPublicAddress(wrapped(PUBLIC_V4))).toBe(true);
    expect(isPublicAddress(wrapped(PRIVATE_V4))).toBe(false);
    for (const { first, decision } of ranges.filter((inner) => inner.first.length === 4)) {
      expect(isPublicAddress(wrapped(first))).toBe(decision === 'public');
    }
  });

  test('a range is decided as IANA says, except where IANA says nothing or the address contains another', () => {
    const wrapping = ranges.filter(({ decision }) => decision === 'as its IPv4 address');
    const rest = ranges.filter((range) => !wrapping.includes(range));
    expect(wrapping.map(({ range }) => range)).toEqual([
      '::ffff:0:0/96',
      '64:ff9b::/96',
      '2002::/16',
    ]);
    for (const { range, global, decision } of rest) {
      expect([range, decision]).toEqual([range, global === true ? 'public' : 'refused']);
    }
  });
});

test.each([
  '1.1.1.1',
  '93.184.215.14',
  '11.0.0.0',
  '100.128.0.0',
  '172.32.0.0',
  '192.0.1.0',
  '198.20.0.0',
  '223.255.255.255',
  '2000::',
  '2001:200::1',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '3fff:1000::1',
])('[OC1] %p, which is in no special range, is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '::7f00:1',
  '::a9fe:a9fe',
  '::127.0.0.1',
  '100:0:0:1::1',
  '100:0:0:2::1',
  '1::1',
  '1fff:ffff::1',
  '4000::1',
  'e000::1',
  'fe00::1',
  '64:ff9a::808:808',
  '64:ff9b::1:808:808',
  'fe80::1%eth0',
  '2606:4700:4700::1111%eth0',
  'localhost',
  '1.1.1',
  '0x1.1.1.1',
  '',
])('[OC1][OC7] %p, which is not given to the internet or no address, is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
