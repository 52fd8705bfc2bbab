import { UNSAFE_CHARACTERS } from '@hearth/protocol';
import { errorCode, errorMessage } from '../lib/error-code.ts';

const LONGEST_SHOWN = 60;

/** `text` in double quotes on one line. Characters that would break or reorder the line are escaped. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll(
    UNSAFE_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** {@link quote} for text of any length. Long text is cut, and its length is added. */
export function excerpt(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= LONGEST_SHOWN) return quote(text);
  const start = characters.slice(0, LONGEST_SHOWN).join('');
  return `${quote(`${start}…`)} (${characters.length} characters)`;
}

/** Describes a raw value of the environment or a TOML document after "got" in a mistake. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return excerpt(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const isBeyondExact = Number.isInteger(Number(value)) && !Number.isSafeInteger(Number(value));
    return isBeyondExact ? `${value} (too large)` : String(value);
  }
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date or time';
  return 'a section';
}

/** A key path as TOML writes it. */
export function formatPath(path: readonly string[]): string {
  return path.map((key) => (/^[\w-]{1,60}$/.test(key) ? key : excerpt(key))).join('.');
}

/** Why the file system refused, in words. */
export function failureReason(error: unknown): string {
  const code = errorCode(error) ?? errorMessage(error);
  return REASONS.get(code) ?? code;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['ENAMETOOLONG', 'its path is too long'],
]);
