import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '..', 'packages/server/src');

const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.ts'], { cwd: SERVER });
const sources = stdout
  .toString()
  .trim()
  .split('\n')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(SERVER, file), 'utf8') }));
const ofFeatures = sources.filter(({ file }) => file.startsWith('features/'));

/** The state of one feature: its interface, and the type of what is kept. */
const DECLARATION = /interface (Keeps\w+) \{\n {2}readonly \w+: (?:Pick<)?(\w+)[^;]*;\n\}/g;
const declared = sources.flatMap(({ file, text }) =>
  [...text.matchAll(DECLARATION)].map(([, name = '', kept = '']) => ({ file, text, name, kept })),
);

/** The types that a type is made of: what an interface extends, or an alias combines. */
const COMPOSITION =
  /(export )?(?:interface|type) (\w+)(?:<[^=]*>)?\s+(?:extends\s([^{]*)\{|=\s([^;]*);)/g;
const composed = sources.flatMap(({ file, text }) =>
  [...text.matchAll(COMPOSITION)].map(([, exported, name = '', bases, alias]) => ({
    file,
    name,
    isExported: exported !== undefined,
    parts: (bases ?? alias ?? '').match(/\w+/g) ?? [],
  })),
);

/** The state in a type that is declared in `file`, or is exported by another one. */
function statesIn(name: string, file: string, above: readonly string[] = []): readonly string[] {
  if (name.startsWith('Keeps')) return [name];
  const named = composed.filter((one) => one.name === name && !above.includes(name));
  const own = named.find((one) => one.file === file) ?? named.find((one) => one.isExported);
  const inner = own?.parts.flatMap((part) => statesIn(part, own.file, [...above, name]));
  return [...new Set(inner)];
}

test('no feature names the context of the whole instance', () => {
  expect(ofFeatures.length).toBeGreaterThan(500);
  const naming = ofFeatures.filter(({ text }) => /\bInstanceContext\b|\/state\.ts'/.test(text));
  expect(naming.map(({ file }) => file)).toEqual([]);
});

test('what a feature keeps in memory is declared beside it, one thing at a time', () => {
  const uses = new Set(sources.flatMap(({ text }) => text.match(/interface Keeps\w+/g) ?? []));
  expect(declared.map(({ name }) => `interface ${name}`).toSorted()).toEqual([...uses].toSorted());
  for (const { file, text, name, kept } of declared) {
    const isBeside = new RegExp(`export (?:class|interface) ${kept}\\b`).test(text);
    expect([file, name, isBeside]).toEqual([file, name, true]);
  }
});

test('an instance gathers the state of all features, and nothing else that of most', () => {
  const names = declared.map(({ name }) => name).toSorted();
  expect(names.length).toBeGreaterThan(20);
  expect([...statesIn('InstanceContext', 'instance-context.ts')].toSorted()).toEqual(names);
  const gathering = composed.filter(
    ({ name, file }) => statesIn(name, file).length > names.length / 2,
  );
  expect(gathering.map(({ file, name }) => `${file} ${name}`)).toEqual([
    'instance-context.ts InstanceContext',
    'instance.ts OwnerContext',
    'lists/lists.ts ListContext',
    'state.ts State',
  ]);
  const long = sources.flatMap(({ file, text }) =>
    (text.match(/\w+(?:\s&\s+Keeps\w+){8,}/g) ?? []).map((taken) => `${file}: ${taken}`),
  );
  expect(long).toEqual([]);
});
