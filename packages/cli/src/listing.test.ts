import { expect, test } from 'bun:test';
import { listingText, type Listing } from './listing.ts';

const listing: Listing<{ readonly name: string; readonly inner: string }> = {
  fields: ({ name }) => ({ name }),
  columns: [
    ['LETTERS', ({ name }) => String(name.length)],
    ['NAME', ({ name }) => name],
  ],
  whenEmpty: 'Nothing.',
};
const items = [
  { name: 'ada', inner: '1' },
  { name: 'bo', inner: '2' },
];
const json = new Map([['json', '']]);

test('items are printed as an aligned table', () => {
  expect(listingText(listing, items, new Map())).toBe('LETTERS  NAME\n3        ada\n2        bo\n');
});

test('with --json, items are printed with the documented fields only', () => {
  const text = listingText(listing, items, json);
  expect(JSON.parse(text)).toEqual([{ name: 'ada' }, { name: 'bo' }]);
  expect(text).toEndWith(']\n');
});

test('an empty list prints a sentence, or an empty array in JSON', () => {
  expect(listingText(listing, [], new Map())).toBe('Nothing.\n');
  expect(listingText(listing, [], json)).toBe('[]\n');
});

test('JSON escapes the characters that could control a terminal', () => {
  const name = 'a\u001b[2J\u009b2J\u007f\n\u2028\u202egpj 🐈';
  const text = listingText(listing, [{ name, inner: '' }], json);
  expect(JSON.parse(text)).toEqual([{ name }]);
  expect(text).toBe(
    '[\n  {\n    "name": "a\\u001b[2J\\u009b2J\\u007f\\n\\u2028\\u202egpj 🐈"\n  }\n]\n',
  );
});
