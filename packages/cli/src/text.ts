import { drawsNothing, UNSAFE_CHARACTERS } from '@hearth/protocol';

/** Formats rows as lines. Every column is as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** Formats a size in powers of 1000, as the instance file writes them: `999 bytes`, `1.5 MB`. */
export function formatSize(sizeBytes: number): string {
  if (sizeBytes < 1000) return sizeBytes === 1 ? '1 byte' : `${sizeBytes} bytes`;
  let size = sizeBytes / 1000;
  let unit = 0;
  // A size that rounds to 1000 of a unit is shown as 1 of the next.
  while (size >= 999.95 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size.toFixed(1)} ${UNITS[unit]}`;
}

/** A number of things, in words: `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** Formats a time to the second, in UTC: `2026-01-31 08:05:00 UTC`. */
export function formatTime(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('T', ' ').replace(/\..*/, ' UTC');
}

/** Replaces the characters of a text that would break the line, move the cursor or turn the direction of a terminal. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE_CHARACTERS, '\ufffd');
}

/** {@link printable} text on one line. Line breaks and tabs become spaces. */
export function inLine(text: string): string {
  return printable(text.replaceAll(/[\r\n\t]+/g, ' '));
}

/** A file's name on one line; `file` if nobody would see it. */
export function fileName(name: string): string {
  return drawsNothing(name) ? 'file' : inLine(name);
}

/** Escapes the characters of a JSON text that `printable` would replace. JSON.stringify does not escape all of them. */
export function escapeUnsafe(json: string): string {
  return json.replaceAll(
    UNSAFE_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
