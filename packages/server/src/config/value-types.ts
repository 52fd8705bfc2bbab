import { countCodePoints } from '@hearth/protocol';
import type { ValueType } from './option.ts';
import { describe } from './wording.ts';

/** A whole number from `min` to `max`, or up to the largest exact number. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): ValueType<number> {
  return {
    expected:
      max === Number.MAX_SAFE_INTEGER
        ? `a whole number of at least ${min}`
        : `a whole number from ${min} to ${max}`,
    read: (raw) => {
      const isWhole = typeof raw === 'number' && Number.isSafeInteger(raw);
      return isWhole && raw >= min && raw <= max ? { value: raw } : { got: describe(raw) };
    },
  };
}

/** Yes or no. */
export const yesOrNo: ValueType<boolean> = {
  expected: 'true or false',
  read: (raw) => (typeof raw === 'boolean' ? { value: raw } : { got: describe(raw) }),
};

export const filledText: ValueType<string> = {
  expected: 'text of at least 1 character',
  read: (raw) => (typeof raw === 'string' && raw !== '' ? { value: raw } : { got: describe(raw) }),
};

/** Text of `min` to `max` characters, counted as Unicode code points. */
export function textOfLength(min: number, max: number): ValueType<string> {
  return {
    expected: `text of ${min} to ${max} characters`,
    read: (raw) => {
      const length = typeof raw === 'string' ? countCodePoints(raw) : 0;
      return typeof raw === 'string' && length >= min && length <= max
        ? { value: raw }
        : { got: describe(raw) };
    },
  };
}

/** An absolute URL with one of two schemes, kept as it is written. */
export function url(...schemes: readonly [string, string]): ValueType<string> {
  return {
    expected: `a URL that begins with ${schemes[0]}:// or ${schemes[1]}://, without user name, query or fragment`,
    read: (raw) =>
      typeof raw === 'string' && isPlainUrl(raw, schemes) ? { value: raw } : { got: describe(raw) },
  };
}

/** The path of a URL, with at least one segment. */
export const urlPath: ValueType<string> = {
  expected:
    'a path such as /api, of letters, digits, "-", "_" and "." and without a slash at its end',
  read: (raw) =>
    typeof raw === 'string' && /^(?:\/[a-z\d][\w.-]*)+$/i.test(raw)
      ? { value: raw }
      : { got: describe(raw) },
};

/** A colour as `#rrggbb`, in lower case. */
export const colour: ValueType<string> = {
  expected: 'a colour such as #b3401a',
  read: (raw) =>
    typeof raw === 'string' && /^#[0-9a-f]{6}$/i.test(raw)
      ? { value: raw.toLowerCase() }
      : { got: describe(raw) },
};

/** The path of a file or directory. */
export const path: ValueType<string> = {
  expected: 'a path',
  read: (raw) =>
    typeof raw === 'string' && !raw.includes('\0') ? { value: raw } : { got: describe(raw) },
};

export function oneOf<Word extends string>(words: readonly Word[]): ValueType<Word> {
  return {
    expected: `one of ${words.join(', ')}`,
    read: (raw) => {
      const value = words.find((word) => word === raw);
      return value === undefined ? { got: describe(raw) } : { value };
    },
  };
}

function isPlainUrl(text: string, schemes: readonly string[]): boolean {
  // The URL parser repairs spaces, backslashes and missing slashes, but clients would receive the URL as it is
  // written.
  if (/[\s\p{Cc}\\?#]/u.test(text) || !/^[a-z]+:\/\/[^/]/i.test(text)) return false;
  const parsed = URL.parse(text);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false;
  return schemes.includes(parsed.protocol.slice(0, -1));
}
