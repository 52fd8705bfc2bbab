import { expect, test } from 'bun:test';
import type { NetworkInterfaceInfo } from 'node:os';
import { hostAmong } from './network-address.ts';

const v4 = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  family: 'IPv4',
  internal,
  netmask: '255.255.255.0',
  mac: '00:00:00:00:00:00',
  cidr: null,
});

const v6 = (address: string): NetworkInterfaceInfo => ({
  ...v4(address),
  family: 'IPv6',
  scopeid: 0,
});

test.each([
  [{}, undefined],
  [{ lo: [v4('127.0.0.1', true)] }, undefined],
  [
    { docker0: [v4('172.17.0.1')], 'br-0f': [v4('172.18.0.1')], eth0: [v4('192.0.2.7')] },
    '192.0.2.7',
  ],
  [{ wlan0: [v6('fe80::1'), v6('2001:db8::1')], eth0: [v4('192.0.2.7')] }, '192.0.2.7'],
  [{ wlan0: [v6('fe80::1'), v6('2001:db8::1')] }, '[2001:db8::1]'],
  [{ wlan0: [v6('fe80::1')] }, undefined],
])('the address in the local network, given %j, is %p', (interfaces, host) => {
  expect(hostAmong(interfaces)).toBe(host);
});
