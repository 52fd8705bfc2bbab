import ipaddr from 'ipaddr.js';
import type { ValueType } from './option.ts';
import { describe, excerpt } from './wording.ts';

/** A TCP port, from its digits. */
export const port: ValueType<number> = {
  expected: 'a whole number from 1 to 65535',
  read: (raw) => {
    const value = typeof raw === 'string' && /^[1-9]\d{0,4}$/.test(raw) ? Number(raw) : 0;
    return value >= 1 && value <= 65_535 ? { value } : { got: describe(raw) };
  },
};

/** A TCP port, or `off` if nothing is to listen. */
export const portOrOff: ValueType<number | 'off'> = {
  expected: `${port.expected}, or off`,
  read: (raw) => (raw === 'off' ? { value: raw } : port.read(raw)),
};

/** An IP address or a host name. */
export const host: ValueType<string> = {
  expected: 'an IP address or a host name',
  read: (raw) =>
    typeof raw === 'string' && (isAddress(raw) || isHostName(raw))
      ? { value: raw }
      : { got: describe(raw) },
};

/** IP addresses and CIDR ranges separated by commas or spaces. IPv4-mapped IPv6 is returned as IPv4. */
export const addressRanges: ValueType<readonly string[]> = {
  expected: 'IP addresses or CIDR ranges, separated by commas or spaces',
  read: (raw) => {
    if (typeof raw !== 'string') return { got: describe(raw) };
    const entries = raw.split(/[\s,]+/).filter((entry) => entry !== '');
    const wrong = entries.find((entry) => !isAddress(entry) && !isRange(entry));
    return wrong === undefined ? { value: entries.map(unmapped) } : { got: excerpt(wrong) };
  },
};

// The library also accepts 127.1 and 0x7f.0.0.1, which other programs read as other addresses.
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function isRange(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

// A name whose last label is a number is a mistyped address.
function isHostName(text: string): boolean {
  const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
  const labels = text.split('.');
  return (
    text.length <= 253 &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

// Clients' IPv4 addresses are compared as IPv4, so a range such as ::ffff:10.0.0.0/104 would never match.
function unmapped(entry: string): string {
  if (isAddress(entry)) return ipaddr.process(entry).toString();
  const [address, bits] = ipaddr.parseCIDR(entry);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? `${address.toIPv4Address().toString()}/${bits - 96}` : entry;
}
