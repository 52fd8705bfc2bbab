import type { TableData, TableList } from '../../../ports/database/table-data.ts';

export interface MovedTable extends TableData {
  readonly name: string;
}

/** The table that holds facts about the instance, and how far a move to the database is. */
const SETTINGS = 'settings';

/** The settings, which are moved last, together with the note that the move is finished. */
export function settingsIn(tables: TableList): MovedTable {
  const data = tables[SETTINGS];
  if (data === undefined) throw new TypeError('there is no table of settings');
  return { ...data, name: SETTINGS };
}

/** The tables that are moved, except the settings: what is referred to comes before what refers to it. */
export function movedTables(tables: TableList): readonly MovedTable[] {
  const ordered = new Map<string, MovedTable>();
  const visit = (name: string, path: readonly string[]): void => {
    const data = tables[name];
    if (data === undefined) throw new TypeError(`there is no table ${name}`);
    if (path.includes(name))
      throw new TypeError(`tables refer to each other in a circle: ${path.join(', ')}`);
    if (ordered.has(name) || data.notMoved !== undefined) return;
    // A table may refer to itself.
    for (const other of data.refersTo ?? []) if (other !== name) visit(other, [...path, name]);
    ordered.set(name, { ...data, name });
  };
  for (const name of Object.keys(tables)) if (name !== SETTINGS) visit(name, []);
  return [...ordered.values()];
}
