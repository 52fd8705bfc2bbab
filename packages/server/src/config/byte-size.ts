import type { ValueType } from './option.ts';
import { describe } from './wording.ts';

const UNITS = [
  ['GiB', 1024 ** 3],
  ['GB', 1000 ** 3],
  ['MiB', 1024 ** 2],
  ['MB', 1000 ** 2],
  ['KiB', 1024],
  ['kB', 1000],
  ['B', 1],
] as const;

/** A size from `min` to `max` bytes: a whole number, or text such as "20MB" (1,000,000 each) or "20MiB" (1,048,576). */
export function byteSize(min = 1, max = Number.MAX_SAFE_INTEGER): ValueType<number> {
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  const range = isOpen
    ? `of at least ${formatByteSize(min)}`
    : `from ${formatByteSize(min)} to ${formatByteSize(max)}`;
  return {
    expected: `a size ${range}: a whole number of bytes, or text such as "20MB" or "20MiB"`,
    read: (raw) => {
      const bytes = typeof raw === 'string' ? parseByteSize(raw) : raw;
      const isSize = typeof bytes === 'number' && Number.isSafeInteger(bytes);
      return isSize && bytes >= min && bytes <= max ? { value: bytes } : { got: describe(raw) };
    },
  };
}

/**
 * The number of bytes in text such as "20MB", "64 KiB" or "512B", in any case; undefined if that is not a whole number
 * of bytes that can be represented exactly.
 */
export function parseByteSize(text: string): number | undefined {
  const [, digits = '', name = ''] = /^(\d{1,16}) ?([a-z]{1,3})$/i.exec(text) ?? [];
  const unit = UNITS.find(([known]) => known.toLowerCase() === name.toLowerCase());
  if (unit === undefined) return undefined;
  const bytes = Number(digits) * unit[1];
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/**
 * Formats a whole number of bytes in the largest unit that holds it exactly, such as "64KiB". {@link parseByteSize}
 * parses it back.
 */
export function formatByteSize(bytes: number): string {
  const [name, factor] = UNITS.find(([, size]) => bytes >= size && bytes % size === 0) ?? ['B', 1];
  return `${bytes / factor}${name}`;
}
