import { expect, test } from 'bun:test';
import { addressRanges, host, port } from './network-types.ts';

test('[CF2] ports from 1 to 65535 are accepted', () => {
  expect(port.read('1')).toEqual({ value: 1 });
  expect(port.read('65535')).toEqual({ value: 65_535 });
});

test.each(['0', '65536', '99999', '-1', '+80', '80.0', '8e1', '0x50', '080', ' 80', '80 ', 'http'])(
  '[CF2] %j is not a port',
  (text) => {
    expect(port.read(text)).toEqual({ got: JSON.stringify(text) });
  },
);

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '::',
  '::1',
  'fe80::1%eth0',
  'localhost',
  'chat.example.org',
  'my_container',
  'xn--huschen-5wa.example',
  '1.example',
  'a'.repeat(63),
])('[CF2] %s is a host', (text) => {
  expect(host.read(text)).toEqual({ value: text });
});

test.each([
  '*',
  '127.1',
  '0x7f.0.0.1',
  '256.0.0.1',
  '1.2.3.4.5',
  '127.0.0.1:7159',
  '[::1]',
  '::1::',
  'http://localhost',
  'localhost/',
  'local host',
  'localhost ',
  'a..b',
  '.a',
  '-a',
  'a-',
  'häuschen',
  'a'.repeat(64),
  Array.from({ length: 64 }, () => 'abc').join('.'),
])('[CF2] %j is not a host', (text) => {
  expect(host.read(text)).toHaveProperty('got');
});

test('[CF2] addresses and ranges of both families are accepted, separated by commas, spaces or both', () => {
  const text = ' 127.0.0.1,::1, 10.0.0.0/8\t2001:db8::/32,,172.16.0.1/12 ';
  expect(addressRanges.read(text)).toEqual({
    value: ['127.0.0.1', '::1', '10.0.0.0/8', '2001:db8::/32', '172.16.0.1/12'],
  });
});

test('an empty list has no entries', () => {
  expect(addressRanges.read(' , ')).toEqual({ value: [] });
});

test('[CF2] IPv4-mapped IPv6 addresses and ranges are accepted', () => {
  const entries = ['::ffff:10.0.0.1', '::ffff:10.0.0.0/104', '::ffff:0:0/96', '::ffff:0:0/95'];
  expect(addressRanges.read(entries.join(' '))).toEqual({ value: entries });
});

test.each([
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/',
  '::/129',
  '10.1/8',
  '127.1',
  '0x7f.0.0.1',
  'localhost',
  '/8',
  '10.0.0.0/8/8',
])('[CF2] an error names %s among the proxies', (entry) => {
  expect(addressRanges.read(`127.0.0.1, ${entry} ::1`)).toEqual({ got: `"${entry}"` });
});
