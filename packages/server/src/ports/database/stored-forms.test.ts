import { expect, test } from 'bun:test';
import { StoredForms } from './stored-forms.ts';
import { column, table } from './table-data.ts';

const forms = new StoredForms({
  posts: table({
    columns: { id: column.id, title: column.text, version: column.number },
    key: ['id'],
  }),
});

test('a text of which no table has a column is refused, because it may be an identifier', () => {
  const joined = forms.of(
    'with given (post, taken) as (values ($1, $2)) select title from given join posts on id = given.post',
  );
  expect(() => joined.store(['7', 1])).toThrow('no known column for value 1');
  expect(() => joined.store([['7'], 1])).toThrow('no known column for value 1');
  expect(joined.store([null, 1])).toEqual([null, 1]);
  const known = forms.of(
    'select title from posts where id = $1 and title <> $2 and author_id = $3',
  );
  const stored = '7'.padStart(39, '0');
  expect(known.store(['7', '7', '7'])).toEqual([stored, '7', stored]);
});
