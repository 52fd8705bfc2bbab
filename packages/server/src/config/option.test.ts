import { expect, test } from 'bun:test';
import { byteSize } from './byte-size.ts';
import { ENVIRONMENT_OPTIONS } from './environment-options.ts';
import { INSTANCE_OPTIONS } from './instance-options.ts';
import { option, optional, section, type OptionTree, type OptionValues } from './option.ts';
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

test('the values of a tree have the types of its options', () => {
  const values: OptionValues<typeof tree> = readOptions(tree, {}).value;
  const name: string | null = values.name;
  const size: number = values.inner.size;
  expect({ name, size }).toEqual({ name: null, size: 1000 });
});

test('values have their names in the code', () => {
  const renamed = {
    send_buffer: option({ as: 'bufferBytes', type: byteSize(), default: '1kB', about: 'A size' }),
    oprish: section({ as: 'rest', about: 'Inner', options: tree }),
  };
  const { value, mistakes } = readOptions(renamed, { send_buffer: '2kB', oprish: { nam: 'x' } });
  const values: OptionValues<typeof renamed> = value;
  const buffer: number = values.bufferBytes;
  const name: string | null = values.rest.name;
  expect({ buffer, name }).toEqual({ buffer: 2000, name: null });
  expect(values).toEqual({ bufferBytes: 2000, rest: { name: null, inner: { size: 1000 } } });
  expect(mistakes).toEqual([
    { path: ['oprish', 'nam'], problem: 'unknown key, did you mean oprish.name?' },
  ]);
});

test.each<readonly [string, OptionTree]>([
  ['instance file', INSTANCE_OPTIONS],
  ['environment', ENVIRONMENT_OPTIONS],
])('no section of the %s has two options with the same name', (_where, options) => {
  for (const names of namesIn(options)) expect(new Set(names).size).toBe(names.length);
});

/** The names of each section. */
function namesIn(options: OptionTree): readonly (readonly string[])[] {
  const nodes = Object.entries(options);
  const inner = nodes.flatMap(([, node]) => (node.kind === 'section' ? namesIn(node.options) : []));
  return [nodes.map(([key, node]) => node.as ?? key), ...inner];
}

test('a default that its own type refuses is an error', () => {
  const declare = () => option({ type: wholeNumber(1, 9), default: 10, about: 'A digit' });
  expect(declare).toThrow('default: expected a whole number from 1 to 9, got 10');
});

test('an invalid option is reported and has its default', () => {
  expect(readOptions(tree, { name: 1, inner: { size: '2kB' } })).toEqual({
    value: { name: null, inner: { size: 2000 } },
    mistakes: [{ path: ['name'], problem: 'expected text of at least 1 character, got 1' }],
  });
});

test('[CF8] only a table is accepted for a section', () => {
  for (const raw of [null, [], new Date(0), 'x', 1]) {
    expect(readOptions(tree, { inner: raw })).toMatchObject({
      value: { inner: { size: 1000 } },
      mistakes: [{ path: ['inner'] }],
    });
  }
});

test('keys that every JavaScript object has are unknown', () => {
  const raw: Record<string, unknown> = JSON.parse('{"__proto__": 1, "constructor": 2}');
  const { value, mistakes } = readOptions(tree, raw);
  expect(mistakes.map(({ path }) => path)).toEqual([['__proto__'], ['constructor']]);
  expect(value).toEqual({ name: null, inner: { size: 1000 } });
});

test('an unknown key of an empty section has no suggestion', () => {
  const empty = { inner: section({ about: 'Inner', options: {} }) };
  expect(readOptions(empty, { inner: { a: 1 } }).mistakes).toEqual([
    { path: ['inner', 'a'], problem: 'unknown key' },
  ]);
});
