import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const WEB = join(ROOT, 'packages/web/src');

/** Imports of any kind: of types, for their effects, on use, and `typeof import(…)`. */
const IMPORT = /^(?:import|export)\b[^;']*?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;

const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.ts', '*.tsx'], { cwd: WEB });
const files = stdout
  .toString()
  .trim()
  .split('\n')
  .filter((file) => !/\.test\.tsx?$/.test(file));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(WEB, file), 'utf8');
  return Array.from(text.matchAll(IMPORT), ([, path, loaded]) =>
    join(file, '..', path ?? loaded ?? ''),
  );
}

/** The files that import each other in circles, all that are connected together. */
function circles(all: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reached = new Map(Array.from(all.keys(), (file) => [file, reachedFrom(all, file)]));
  const found = new Map<string, readonly string[]>();
  for (const [file, others] of reached) {
    const circle = [...others].filter((other) => reached.get(other)?.has(file)).toSorted();
    if (circle.length > 0) found.set(circle.join(), circle);
  }
  return [...found.values()];
}

function reachedFrom(all: ReadonlyMap<string, readonly string[]>, file: string): Set<string> {
  const reached = new Set(all.get(file));
  // The set grows during this loop.
  for (const each of reached) for (const next of all.get(each) ?? []) reached.add(next);
  return reached;
}

test('no files of the web client import each other in a circle, not even on use', () => {
  expect(files.length).toBeGreaterThan(500);
  const targets = [...imports.values()].flat().filter((path) => /\.tsx?$/.test(path));
  expect(targets.length).toBeGreaterThan(2_400);
  expect(targets.filter((path) => !imports.has(path))).toEqual([]);
  expect(circles(imports)).toEqual([]);
});

test('a circle is found however its files import each other', () => {
  const all = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts', 'd.ts']],
    ['c.ts', ['a.ts']],
    ['d.ts', ['e.ts']],
    ['e.ts', ['e.ts']],
  ]);
  expect(circles(all)).toEqual([['a.ts', 'b.ts', 'c.ts'], ['e.ts']]);
  const text = `import './a.ts';\nimport type {\n  B,\n} from './b.ts';\nexport { c } from './c.ts';\ntype D = typeof import('./d.ts');\nawait import(\n  './e.ts')`;
  expect(Array.from(text.matchAll(IMPORT), ([, path, loaded]) => path ?? loaded)).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((name) => `./${name}.ts`),
  );
});

const entries = readdirSync(WEB, { withFileTypes: true });
const folders = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();

/** The imports that each folder may have, as the table in ARCHITECTURE.md says. */
const table = new Map(
  Array.from(
    readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
      .split('| folder of `packages/web/src/` |')[1]
      ?.split('\n\n')[0]
      ?.matchAll(/^\| `(\w+)\/` \|.*\| ([^|]*) \|$/gm) ?? [],
    ([, folder = '', list = '']) => [folder, list === 'nothing' ? [] : list.split(', ').map(named)],
  ),
);

/** The imports that each folder may not have, as the linter says. */
const { overrides } = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as {
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: { readonly 'no-restricted-imports'?: string | readonly unknown[] };
  }[];
};
const refused = new Map(
  overrides.flatMap(({ files: [first = ''], rules }) => {
    const [, folder] = /^packages\/web\/src\/(\w+)\/\*\*$/.exec(first) ?? [];
    const text = JSON.stringify(rules['no-restricted-imports']);
    const [, list = ''] = /\^\(\\\\\.\\\\\.\/\)\+\(([\w|]*)\)\//.exec(text) ?? [];
    return folder === undefined ? [] : [[folder, list.split('|')] as const];
  }),
);

function named(cell: string): string {
  return /^`(\w+)\/`$/.exec(cell)?.[1] ?? cell;
}

/** The folders that a folder of the web client imports. */
function importedBy(folder: string): readonly string[] {
  const paths = [...imports].flatMap(([from, to]) => (from.startsWith(`${folder}/`) ? to : []));
  const imported = new Set(paths.filter((path) => path.includes('/')).map(folderOf));
  return [...imported].filter((other) => other !== folder).toSorted();
}

const folderOf = (path: string): string => path.split('/')[0] ?? '';

test('every folder of the web client has a row in ARCHITECTURE.md, and every row is a folder', () => {
  expect([...table.keys()].toSorted()).toEqual(folders);
});

test.each(folders)('%s imports the folders that its row names', (folder) => {
  expect(table.get(folder)?.toSorted()).toEqual([...importedBy(folder)]);
});

test.each(folders)('the linter refuses that %s imports other folders', (folder) => {
  const allowed = [folder, ...(table.get(folder) ?? [])];
  expect(refused.get(folder)).toEqual(folders.filter((other) => !allowed.includes(other)));
});
