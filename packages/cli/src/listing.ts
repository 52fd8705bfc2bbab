import { UNSAFE_CHARACTERS } from '@hearth/protocol';
import type { Flag, Invocation } from './command.ts';
import { alignColumns } from './text.ts';

/** The flag of every command that lists. */
export const JSON_FLAG: Flag = { name: 'json', about: 'Print JSON instead of a table' };

/** How a list of items is printed. */
export interface Listing<Item> {
  /** An item in JSON. */
  readonly fields: (item: Item) => object;
  /** The table's titles and cells; what can be of any width comes last. */
  readonly columns: readonly (readonly [title: string, cell: (item: Item) => string])[];
  readonly whenEmpty: string;
}

/** The items as JSON where the flags ask for it, otherwise as an aligned table. */
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

// JSON.stringify escapes some of what others may do to a terminal, not all; its own line breaks are to stay.
function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(UNSAFE_CHARACTERS, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
