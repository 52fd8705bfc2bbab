import { expect, test } from 'bun:test';
import { openSqlite } from './sqlite.ts';

test('SQLite plans a statement with numbered values the same for all values', () => {
  const file = openSqlite(':memory:');
  file.exec('create table notes (name text, size integer)');
  file.exec('create index large on notes (size) where size > 10');
  const text = 'explain query plan select name from notes where size > $1';
  // If it looked at the value, it would use the index for one of them.
  expect(file.rows(text, [10])).toEqual(file.rows(text, [9]));
  const statement = file.prepare(text);
  expect(statement.all([10])).toEqual(statement.all([9]));
  file.close();
});
