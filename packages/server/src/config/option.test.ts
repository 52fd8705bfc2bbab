import { expect, test } from 'bun:test';
import { byteSize } from './byte-size.ts';
import { option, optional, type OptionValues, section } from './option.ts';
import { readOptions } from './read-options.ts';
import { filledText, wholeNumber } from './value-types.ts';

const tree = {
  name: optional({
    type: filledText,
    fallback: null,
    fallbackName: 'none',
    example: 'x',
    about: 'A name',
  }),
  inner: section({
    about: 'Inner',
    otherSpellings: ['in ner'],
    options: { size: option({ type: byteSize(), default: '1kB', about: 'A size' }) },
  }),
};

test('gives the values of a tree the types of its options', () => {
  const values: OptionValues<typeof tree> = readOptions(tree, {}).value;
  const name: string | null = values.name;
  const size: number = values.inner.size;
  expect({ name, size }).toEqual({ name: null, size: 1000 });
});

test('refuses a default that its own type refuses', () => {
  const declare = () => option({ type: wholeNumber(1, 9), default: 10, about: 'A digit' });
  expect(declare).toThrow('default: expected a whole number from 1 to 9, got 10');
});

test('reads defaults and mistakes together', () => {
  expect(readOptions(tree, { name: 1, inner: { size: '2kB' } })).toEqual({
    value: { name: null, inner: { size: 2000 } },
    mistakes: [{ path: ['name'], problem: 'expected text of at least 1 character, got 1' }],
  });
});

test('[CF8] takes nothing but a table for a section', () => {
  for (const raw of [null, [], new Date(0), 'x', 1]) {
    expect(readOptions(tree, { inner: raw })).toMatchObject({
      value: { inner: { size: 1000 } },
      mistakes: [{ path: ['inner'] }],
    });
  }
});

test('knows no key that only every object has', () => {
  const raw: Record<string, unknown> = JSON.parse('{"__proto__": 1, "constructor": 2}');
  const { value, mistakes } = readOptions(tree, raw);
  expect(mistakes.map(({ path }) => path)).toEqual([['__proto__'], ['constructor']]);
  expect(value).toEqual({ name: null, inner: { size: 1000 } });
});

test('says of an unknown key of an empty section only that it is unknown', () => {
  const empty = { inner: section({ about: 'Inner', options: {} }) };
  expect(readOptions(empty, { inner: { a: 1 } }).mistakes).toEqual([
    { path: ['inner', 'a'], problem: 'unknown key' },
  ]);
});
