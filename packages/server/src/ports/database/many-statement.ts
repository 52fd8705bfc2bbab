import type { ManyStatement, Statement } from './database.ts';

/** How many rows the embedded engine is given at once, so that few texts are kept prepared. */
const SIZES = [64, 16, 4, 1];

/** The statements of the embedded engine, which reads the rows from a list of values. */
export function statementsWithValues({ text, columns, rows }: ManyStatement): readonly Statement[] {
  const names = Object.keys(columns);
  const statements: Statement[] = [];
  let from = 0;
  for (const size of SIZES) {
    for (; rows.length - from >= size; from += size) {
      const values = rows.slice(from, from + size).flat();
      statements.push({ text: `${givenIn(names, size)} ${text}`, values });
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

const known = new Map<string, string>();

function givenIn(names: readonly string[], size: number): string {
  const key = `${size} ${names.join()}`;
  const text = known.get(key) ?? textOfGiven(names, size);
  known.set(key, text);
  return text;
}

function textOfGiven(names: readonly string[], size: number): string {
  const row = (at: number) => names.map((_, column) => `$${at * names.length + column + 1}`);
  const rows = Array.from({ length: size }, (_, at) => `(${row(at).join()})`);
  return `with given (${names.join()}) as (values ${rows.join()})`;
}
