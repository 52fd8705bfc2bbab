import type { Flag, Invocation } from './command.ts';
import { alignColumns, escapeUnsafe } from './text.ts';

/** The flag of every command that lists. */
export const JSON_FLAG: Flag = { name: 'json', about: 'Print JSON instead of a table' };

/** The form in which a list of items is printed. */
export interface Listing<Item> {
  /** The fields of an item in JSON. */
  readonly fields: (item: Item) => object;
  /** The table's titles and cells. A column of unlimited width comes last. */
  readonly columns: readonly (readonly [title: string, cell: (item: Item) => string])[];
  readonly whenEmpty: string;
}

/** The items as JSON if the flags contain --json, otherwise as an aligned table. */
export function listingText<Item>(
  { fields, columns, whenEmpty }: Listing<Item>,
  items: readonly Item[],
  flags: Invocation['flags'],
): string {
  if (flags.has(JSON_FLAG.name)) return `${jsonText(items.map(fields))}\n`;
  if (items.length === 0) return `${whenEmpty}\n`;
  const titles = columns.map(([title]) => title);
  const rows = items.map((item) => columns.map(([, cell]) => cell(item)));
  return `${alignColumns([titles, ...rows]).join('\n')}\n`;
}

/** Returns what a command did, as a line, or as JSON if the flags contain --json. */
export function resultText(line: string, fields: object, flags: Invocation['flags']): string {
  return `${flags.has(JSON_FLAG.name) ? jsonText(fields) : line}\n`;
}

/** A value as JSON for people and programs, safe to print. */
export function jsonText(value: unknown): string {
  // Escaped line by line, because the line breaks of the layout must stay.
  return JSON.stringify(value, null, 2).split('\n').map(escapeUnsafe).join('\n');
}
