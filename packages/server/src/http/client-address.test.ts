import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { clientKey } from '../client-range.ts';
import { clientResolver } from './client-address.ts';

function resolverOf(trustedProxies: readonly string[]) {
  const resolveRequest = clientResolver(trustedProxies);
  return (headers: Headers, peer: string) => resolveRequest({ headers }, peer);
}

describe('a client', () => {
  test.each<[what: string, address: string, key: string]>([
    ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
    ['an IPv4 address mapped into IPv6', '::ffff:192.0.2.1', '192.0.2.1'],
    ['a mapped address in hexadecimal', '::ffff:c000:201', '192.0.2.1'],
    ['a mapped address in capitals', '::FFFF:192.0.2.1', '192.0.2.1'],
    ['a mapped address written out', '0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the /64 however it is written', '2001:0DB8:0001:0002::0A', '2001:db8:1:2::/64'],
    ['the /64 of a shortened address', '2001:db8::', '2001:db8:0:0::/64'],
    ['the /64 of the loopback address', '::1', '0:0:0:0::/64'],
    ['a link-local address without its zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['an address with a numbered zone', 'fe80::1:2:3:4%12', 'fe80:0:0:0::/64'],
    ['a peer that is unknown', '', ''],
    ['a peer that is not an address', 'somewhere', 'somewhere'],
    ['a peer that looks like IPv6', ':::', ':::'],
  ])('[LI7] a client is %s', (_what, address, key) => {
    expect(clientKey(address)).toBe(key);
    expect(resolverOf([])(new Headers(), address)).toBe(key);
    expect(resolverOf(['10.0.0.0/8'])(new Headers(), address)).toBe(key);
  });

  test('[LI7] a client is the same for all addresses of a /64 and another for every other', () => {
    const group = fc.nat({ max: 0xffff });
    const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
    const address = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':');
    // A network of only zeros could hold mapped IPv4 addresses.
    const network = fc
      .tuple(fc.integer({ min: 1, max: 0xffff }), groups(3))
      .map(([a, b]) => [a, ...b]);
    const property = fc.property(network, network, groups(4), groups(4), (one, other, a, b) => {
      expect(clientKey(address([...one, ...a]))).toBe(clientKey(address([...one, ...b])));
      const isSame = address(one) === address(other);
      expect(clientKey(address([...one, ...a])) === clientKey(address([...other, ...a]))).toBe(
        isSame,
      );
    });
    fc.assert(property);
  });
});

const trusted = ['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48', '::1'];
const resolve = resolverOf(trusted);
const proxy = '10.1.2.3';

type Case = [what: string, headers: Record<string, string>, client: string];

describe('a request of a trusted proxy', () => {
  test.each<Case>([
    ['CF-Connecting-IP', { 'CF-Connecting-IP': '198.51.100.1' }, '198.51.100.1'],
    ['X-Real-IP', { 'X-Real-IP': '198.51.100.2' }, '198.51.100.2'],
    ['X-Forwarded-For', { 'X-Forwarded-For': '198.51.100.3' }, '198.51.100.3'],
    [
      'CF-Connecting-IP before the others',
      {
        'X-Forwarded-For': '198.51.100.3',
        'X-Real-IP': '198.51.100.2',
        'CF-Connecting-IP': '198.51.100.1',
      },
      '198.51.100.1',
    ],
    [
      'X-Real-IP before X-Forwarded-For',
      { 'X-Forwarded-For': '198.51.100.3', 'X-Real-IP': '198.51.100.2' },
      '198.51.100.2',
    ],
    ['the peer if there is no header', {}, proxy],
    ['X-Real-IP in the middle of a trusted network', { 'X-Real-IP': '10.9.9.9' }, '10.9.9.9'],
    ['an IPv6 address by its /64', { 'X-Real-IP': '2001:db8:1:2:3::4' }, '2001:db8:1:2::/64'],
    ['a mapped address as IPv4', { 'X-Real-IP': '::ffff:198.51.100.2' }, '198.51.100.2'],
    ['an address between blanks', { 'X-Real-IP': ' \t198.51.100.2 ' }, '198.51.100.2'],
    ['an address without its port', { 'X-Real-IP': '198.51.100.2:443' }, '198.51.100.2'],
    ['an IPv6 address in brackets', { 'X-Real-IP': '[2001:db8::1]' }, '2001:db8:0:0::/64'],
    [
      'an IPv6 address in brackets with a port',
      { 'X-Real-IP': '[2001:db8::1]:443' },
      '2001:db8:0:0::/64',
    ],
  ])('[LI8] the client is %s', (_what, headers, client) => {
    expect(resolve(new Headers(headers), proxy)).toBe(client);
  });

  test.each([
    '',
    ' ',
    'unknown',
    '-',
    'localhost',
    '198.51.100',
    '198.51.100.1.2',
    '198.51.100.256',
    '0x7f.1',
    '2130706433',
    '198.51.0100.1',
    '198.51.100.2, 198.51.100.3',
    '198.51.100.2:',
    ':443',
    '[198.51.100.2',
    '2001:db8::1::2',
    '2001:db8::1]:443',
    '<script>',
  ])('[LI8] a header that is not an address is skipped: %j', (value) => {
    for (const name of ['CF-Connecting-IP', 'X-Real-IP']) {
      const headers = new Headers({ [name]: value, 'X-Forwarded-For': '198.51.100.3' });
      expect(resolve(headers, proxy)).toBe('198.51.100.3');
      expect(resolve(new Headers({ [name]: value }), proxy)).toBe(proxy);
    }
  });

  test.each([
    '10.1.2.3',
    '10.255.255.255',
    '192.0.2.7',
    '::ffff:10.1.2.3',
    '::ffff:c000:207',
    '2001:db8:ffff:1:2:3:4:5',
    '::1',
  ])('[LI8] headers of the peer %s are believed', (peer) => {
    expect(resolve(new Headers({ 'X-Real-IP': '198.51.100.2' }), peer)).toBe('198.51.100.2');
  });

  test.each([
    ['::ffff:10.0.0.1', '10.0.0.1', '10.0.0.2'],
    ['::ffff:10.0.0.0/104', '10.1.2.3', '11.0.0.1'],
    ['::ffff:0:0/96', '255.0.0.1', '2001:db8:0:0::/64'],
    ['::ffff:0:0/95', '::fffe:0:1', '10.0.0.1'],
  ])(
    '[LI8] a trusted range of mapped addresses alone is one of IPv4: %s',
    (range, inside, outside) => {
      const headers = new Headers({ 'X-Real-IP': '198.51.100.2' });
      expect(resolverOf([range])(headers, inside)).toBe('198.51.100.2');
      expect(resolverOf([range])(headers, outside)).toBe(outside);
    },
  );
});

describe('X-Forwarded-For', () => {
  test.each<[what: string, header: string, client: string]>([
    ['the only entry', '198.51.100.3', '198.51.100.3'],
    ['the rightmost entry', '198.51.100.3, 198.51.100.4', '198.51.100.4'],
    [
      'the rightmost one to the left of trusted proxies',
      '203.0.113.9, 198.51.100.4, 192.0.2.7, 10.0.0.1',
      '198.51.100.4',
    ],
    [
      'not an address that a client made up, to the left of its own',
      '1.1.1.1,2.2.2.2,198.51.100.4,10.0.0.1',
      '198.51.100.4',
    ],
    [
      'the rightmost one, even if trusted proxies are to the left of it',
      '10.0.0.1, 198.51.100.4',
      '198.51.100.4',
    ],
    ['the leftmost entry if all are trusted', '10.0.0.1, 10.0.0.2, 10.0.0.3', '10.0.0.1'],
    ['found without blanks', '203.0.113.9,198.51.100.4,10.0.0.1', '198.51.100.4'],
    ['found with ports', '198.51.100.4:5050, 10.0.0.1:6060', '198.51.100.4'],
    [
      'found among IPv6 addresses',
      '2001:db8:5::1, 2001:db8:ffff::1, [::1]:80',
      '2001:db8:5:0::/64',
    ],
    ['found among mapped addresses', '::ffff:198.51.100.4, ::ffff:10.0.0.1', '198.51.100.4'],
    ['not what stands left of an unreadable entry', '198.51.100.4, unknown, 10.0.0.1', '10.0.0.1'],
    ['the peer where the last entry is unreadable', '198.51.100.4, unknown', proxy],
    ['the peer where the header is empty', '', proxy],
    ['the peer if there are only commas', ', ,', proxy],
  ])('[LI8] the client is %s', (_what, header, client) => {
    expect(resolve(new Headers({ 'X-Forwarded-For': header }), proxy)).toBe(client);
  });

  test('[LI8] several lines are one list, in their order', () => {
    const headers = new Headers();
    headers.append('X-Forwarded-For', '203.0.113.9');
    headers.append('X-Forwarded-For', '198.51.100.4, 10.0.0.1');
    headers.append('X-Forwarded-For', '10.0.0.2');
    expect(resolve(headers, proxy)).toBe('198.51.100.4');
  });
});

describe('any other peer', () => {
  const spoofed = new Headers({
    'CF-Connecting-IP': '198.51.100.1',
    'X-Real-IP': '198.51.100.2',
    'X-Forwarded-For': '198.51.100.3',
    Forwarded: 'for=198.51.100.4',
  });

  test.each([
    ['a neighbour of a trusted range', '11.0.0.0', '11.0.0.0'],
    ['a neighbour of a trusted address', '192.0.2.8', '192.0.2.8'],
    ['the same bits in another family', '::a01:203', '0:0:0:0::/64'],
    ['a neighbour of a trusted IPv6 range', '2001:db8:fffe::1', '2001:db8:fffe:0::/64'],
    ['an address in the /64 of a trusted one', '::2', '0:0:0:0::/64'],
    ['an unknown peer', '', ''],
    ['no address at all', 'somewhere', 'somewhere'],
  ])('[LI8] a peer is not believed: %s', (_what, peer, client) => {
    expect(resolve(spoofed, peer)).toBe(client);
  });

  test('[LI8] a peer is not believed, whatever its address, if no proxy is trusted', () => {
    for (const peer of ['127.0.0.1', '10.1.2.3', '192.0.2.7']) {
      expect(resolverOf([])(spoofed, peer)).toBe(peer);
    }
  });

  test('[LI8] a peer is believed if every address is trusted, and not if only the other family is', () => {
    expect(resolverOf(['0.0.0.0/0'])(spoofed, '203.0.113.1')).toBe('198.51.100.1');
    expect(resolverOf(['::/0'])(spoofed, '203.0.113.1')).toBe('203.0.113.1');
  });
});
