import { parseAddress, parseNetwork } from '../lib/ip-address.ts';
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
    typeof raw === 'string' && (parseAddress(raw) !== undefined || isHostName(raw))
      ? { value: raw }
      : { got: describe(raw) },
};

/** IP addresses and CIDR ranges separated by commas or spaces. */
export const addressRanges: ValueType<readonly string[]> = {
  expected: 'IP addresses or CIDR ranges, separated by commas or spaces',
  read: (raw) => {
    if (typeof raw !== 'string') return { got: describe(raw) };
    const entries = raw.split(/[\s,]+/).filter((entry) => entry !== '');
    const wrong = entries.find((entry) => parseNetwork(entry) === undefined);
    return wrong === undefined ? { value: entries } : { got: excerpt(wrong) };
  },
};

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
