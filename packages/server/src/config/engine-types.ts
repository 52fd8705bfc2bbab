import { parseBlobsUrl, type BlobsAddress } from './blobs-url.ts';
import type { ValueType } from './option.ts';
import { describe, excerpt } from './wording.ts';

/** The components that a process can run. */
export const COMPONENT_NAMES = ['rest', 'gateway', 'files', 'web'] as const;

export type ComponentName = (typeof COMPONENT_NAMES)[number];

/** Components separated by commas or spaces, returned in the order of {@link COMPONENT_NAMES}. */
export const componentList: ValueType<readonly ComponentName[]> = {
  expected: `one or more of ${COMPONENT_NAMES.join(', ')}, separated by commas`,
  read: (raw) => {
    if (typeof raw !== 'string') return { got: describe(raw) };
    const given = raw.split(/[\s,]+/).filter((word) => word !== '');
    const wrong = given.find((word) => !COMPONENT_NAMES.some((name) => name === word));
    if (wrong !== undefined) return { got: excerpt(wrong) };
    if (given.length === 0) return { got: 'none' };
    return { value: COMPONENT_NAMES.filter((name) => given.includes(name)) };
  },
};

/** The address of a server. No error message contains its user name and password. */
export function serverUrl(schemes: readonly string[], example: string): ValueType<string> {
  return {
    expected: `an address such as ${example}`,
    read: (raw) =>
      typeof raw === 'string' && isServerUrl(raw, schemes)
        ? { value: raw }
        : { got: describe(withoutCredentials(raw)) },
  };
}

export const blobsAddress: ValueType<BlobsAddress> = {
  expected: 'an address such as s3://bucket?endpoint=http://host:8333&region=us-east-1',
  read: (raw) => {
    const parsed = typeof raw === 'string' ? parseBlobsUrl(raw) : 'is not text';
    return typeof parsed === 'string' ? { got: `one that ${parsed}` } : { value: parsed };
  },
};

/** The digits of a number from `min` to `max`. */
export function digits(min: number, max: number): ValueType<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read: (raw) => {
      const value = typeof raw === 'string' && /^\d{1,9}$/.test(raw) ? Number(raw) : NaN;
      return value >= min && value <= max ? { value } : { got: describe(raw) };
    },
  };
}

/** Text that may be a secret, so that no error message contains it. */
export const secret: ValueType<string> = {
  expected: 'text',
  read: (raw) => (typeof raw === 'string' ? { value: raw } : { got: 'something else' }),
};

function isServerUrl(text: string, schemes: readonly string[]): boolean {
  if (/[\s\p{Cc}]/u.test(text)) return false;
  const parsed = URL.parse(text);
  if (parsed === null || parsed.hostname === '' || !areEncoded(parsed)) return false;
  return schemes.includes(parsed.protocol.slice(0, -1));
}

// A percent sign that is not written as %25 cannot be decoded.
function areEncoded({ username, password }: URL): boolean {
  return !/%(?![0-9a-f]{2})/i.test(username + password);
}

function withoutCredentials(raw: unknown): unknown {
  return typeof raw === 'string' ? raw.replace(/\/\/.*@/s, '//…@') : raw;
}

/** The sender of mail: an address, or a name and an address in angle brackets. */
export const mailbox: ValueType<string> = {
  expected: 'an address such as hearth@chat.example.org, or Hearth <hearth@chat.example.org>',
  read: (raw) =>
    typeof raw === 'string' && isMailbox(raw) ? { value: raw.trim() } : { got: describe(raw) },
};

function isMailbox(text: string): boolean {
  if (/\p{Cc}/u.test(text)) return false;
  return /^(?:[^<>@,;:"\\]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(text.trim());
}
