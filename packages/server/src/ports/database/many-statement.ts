import type { ManyStatement, Statement } from './database.ts';

/** The numbers of rows that the embedded engine is given at once, so that few texts are kept prepared. */
const SIZES = [64, 16, 4, 1];

/** The statements of the embedded engine, which reads the rows from a list of values. */
export function statementsWithValues({ text, columns, rows }: ManyStatement): readonly Statement[] {
  const statements: Statement[] = [];
  let from = 0;
  for (const size of SIZES) {
    for (; rows.length - from >= size; from += size) {
      const values = rows.slice(from, from + size).flat();
      statements.push({ text: textFor(size, text, columns), values });
    }
  }
  return statements;
}

/** The statement of PostgreSQL, which reads each column from an array: one text for any number of rows. */
export function statementWithArrays({ text, columns, rows, locks }: ManyStatement): {
  readonly text: string;
  readonly values: readonly (readonly (string | number)[])[];
} {
  const names = Object.keys(columns);
  const arrays = Object.values(columns).map((type, at) => `$${at + 1}::${type}[]`);
  const given = `with given as (select * from unnest(${arrays.join()}) as given (${names.join()}))`;
  return {
    text: `${given} ${text}${locks === undefined ? '' : ` ${locks}`}`,
    values: names.map((_, at) => rows.map((row) => row[at] ?? '')),
  };
}

/** By size and text: to find a statement by a text of many thousand letters takes long, unless that is the same text again. */
const known = new Map<number, Map<string, string>>();

function textFor(size: number, text: string, columns: ManyStatement['columns']): string {
  const ofSize = known.getOrInsertComputed(size, () => new Map());
  return ofSize.getOrInsertComputed(text, () => `${givenIn(Object.keys(columns), size)} ${text}`);
}

function givenIn(names: readonly string[], size: number): string {
  const row = (at: number) => names.map((_, column) => `$${at * names.length + column + 1}`);
  const rows = Array.from({ length: size }, (_, at) => `(${row(at).join()})`);
  return `with given (${names.join()}) as (values ${rows.join()})`;
}
