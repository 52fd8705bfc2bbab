import { Glob } from 'bun';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { errorSchemaOf } from '../error-schemas.ts';
import { ERROR_NAMES } from '../errors.ts';
import { ERROR_FIELDS, NOUN_NAMES, NOUNS } from './descriptions.ts';
import { EVERYTHING, schemasByName } from './everything.ts';

const EMPTY_WORDS = new Set('a an and be for in is it its of or that the this to'.split(' '));

/** Every field of every schema and error. */
const FIELDS = [
  ...Object.entries(schemasByName()).flatMap(([name, schema]) =>
    EVERYTHING.fieldsOf(schema).map((field) => ({ ...field, of: name })),
  ),
  ...ERROR_NAMES.flatMap((name) =>
    EVERYTHING.fieldsOf(errorSchemaOf(name), { fields: ERROR_FIELDS }).map((field) => ({
      ...field,
      of: name,
    })),
  ),
];

/** Returns whether a text has no word that the name of its field lacks. */
function repeats(text: string, name: string): boolean {
  const named = name.split(/[_ ]/).flatMap((word) => [word, `${word}s`, word.replace(/s$/, '')]);
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.every((word) => EMPTY_WORDS.has(word) || named.includes(word));
}

test('[HT14] every schema of the protocol is described on one page', () => {
  const names = NOUN_NAMES.flatMap((noun) => {
    const { objects, events = {} } = NOUNS[noun];
    return [...Object.keys(objects), ...Object.keys(events)];
  });
  expect(names.toSorted()).toEqual(Object.keys(schemasByName()).toSorted());
});

test('[HT14] every field has a description, which does more than repeat its name', () => {
  expect(FIELDS.length).toBeGreaterThan(1_000);
  const lacking = FIELDS.filter(({ path, text }) => {
    const name = path.split('.').at(-1)?.replaceAll('[]', '') ?? '';
    return text === undefined || repeats(text, name);
  });
  expect(
    lacking.map(({ of, path, text }) => [of, path, text]),
    'Describe these fields in packages/protocol/src/descriptions',
  ).toEqual([]);
});

test('[HT14] descriptions are sentences', () => {
  const texts = NOUN_NAMES.flatMap((noun) => {
    const { about, fields } = NOUNS[noun];
    return [about, ...Object.values(fields)];
  });
  const all = [
    ...texts,
    ...EVERYTHING.allKnown().flatMap((each) => [each.about, ...Object.values(each.fields)]),
  ];
  expect(all.filter((text) => !/^[A-Z0-9`‘-].*\.$/su.test(text))).toEqual([]);
});

test('[HT14] a description of a field with a fixed set of values names no others', () => {
  const wrong = FIELDS.flatMap(({ of, path, json, text = '' }) => {
    const values = json['enum'];
    if (!Array.isArray(values)) return [];
    const named = Array.from(text.matchAll(/`([a-z_]+)`/g), ([, name]) => name);
    return named.filter((name) => !values.includes(name)).map((name) => [of, path, name]);
  });
  expect(wrong).toEqual([]);
});

test('[HT14] only the description of the wire and the server load the descriptions, so that no page does', async () => {
  const packages = join(import.meta.dirname, '../../..');
  const sources = new Glob('{protocol,sdk,cli,web}/src/**/*.{ts,tsx}').scan({ cwd: packages });
  const importing = await Array.fromAsync(sources, async (path) => {
    const text = await Bun.file(join(packages, path)).text();
    const isInside = path.startsWith('protocol/src/descriptions/');
    return !isInside && /from '[^']*\/descriptions[/']/.test(text) ? [path] : [];
  });
  expect(importing.flat()).toEqual(['protocol/src/wire.ts']);
});
