import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { clientKey, formatClientRange, parseClientRange } from './client-range.ts';
import { BanList } from './features/accounts/moderation/ban-list.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  [' 192.0.2.7/32 ', '192.0.2.7'],
  ['192.0.2.7/24', '192.0.2.0/24'],
  ['255.255.255.255/8', '255.0.0.0/8'],
  ['192.0.2.7/25', '192.0.2.0/25'],
  ['192.0.2.255/31', '192.0.2.254/31'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:1:2:3:4:5:6/128', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::/64', '2001:db8:1:2::/64'],
  ['2001:db8:ffff::/16', '2001:0:0:0::/16'],
  ['2001:db8:1:ffff::/63', '2001:db8:1:fffe::/63'],
  ['2001:db8:ffff::/33', '2001:db8:8000:0::/33'],
])('[MO5] %p means the clients %s', (text, range) => {
  const parsed = parseClientRange(text);
  expect(parsed === undefined ? undefined : formatClientRange(parsed)).toBe(range);
});

test.each([
  '',
  'ada',
  '1.2.3',
  '0x7f.1',
  '256.0.0.1',
  '192.0.2.7/33',
  '192.0.2.7/',
  '192.0.2.7/+24',
  '192.0.2.0/24/24',
  '10.0.0.0/7',
  '0.0.0.0/0',
  '2000::/15',
  '::/0',
  '::ffff:10.0.0.0/24',
  '::ffff:10.0.0.0/103',
  '2001:db8::/129',
  '[2001:db8::1]',
])('[MO5] %p is not an address or a range that can be banned', (text) => {
  expect(parseClientRange(text)).toBeUndefined();
});

test('[MO5] the key of any client is also the range that bans it, and no other', () => {
  const octets = fc.array(fc.nat({ max: 255 }), { minLength: 4, maxLength: 4 });
  const groups = fc.array(fc.nat({ max: 0xffff }), { minLength: 8, maxLength: 8 });
  const address = fc.oneof(
    octets.map((each) => each.join('.')),
    octets.map((each) => `::ffff:${each.join('.')}`),
    groups.map((each) => each.map((group) => group.toString(16)).join(':')),
  );
  const property = fc.property(address, address, (one, other) => {
    const [key, range] = [clientKey(one), parseClientRange(one)];
    expect(range === undefined ? undefined : formatClientRange(range)).toBe(key);
    expect(parseClientRange(key)).toEqual(range);
    const bans = new BanList(range === undefined ? [] : [{ range, term: {} }]);
    expect(bans.of(key)).toHaveLength(1);
    expect(bans.of(clientKey(other))).toHaveLength(clientKey(other) === key ? 1 : 0);
  });
  fc.assert(property);
});

test('[MO5] a ban includes the clients whose addresses are in its range, as limits count them, and no others', () => {
  const ranges = ['192.0.2.7', '198.51.100.0/22', '2001:db8::1', '2001:db8:aa00::/40'];
  const bans = ranges.flatMap((text) => {
    const range = parseClientRange(text);
    return range === undefined ? [] : [{ range, term: { reason: text } }];
  });
  const list = new BanList(bans);
  const bannedBy = (address: string) => list.of(clientKey(address)).map(({ reason }) => reason);
  expect(bannedBy('192.0.2.7')).toEqual(['192.0.2.7']);
  expect(bannedBy('::ffff:192.0.2.7')).toEqual(['192.0.2.7']);
  expect(bannedBy('192.0.2.8')).toEqual([]);
  expect(bannedBy('198.51.103.255')).toEqual(['198.51.100.0/22']);
  expect(bannedBy('198.51.104.0')).toEqual([]);
  expect(bannedBy('2001:db8::ffff:1')).toEqual(['2001:db8::1']);
  expect(bannedBy('2001:db8:0:1::1')).toEqual([]);
  expect(bannedBy('2001:db8:aaff:1::1')).toEqual(['2001:db8:aa00::/40']);
  expect(bannedBy('2001:db8:ab00::1')).toEqual([]);
  expect(bannedBy('')).toEqual([]);
  expect(new BanList([]).of(clientKey('192.0.2.7'))).toEqual([]);
});
