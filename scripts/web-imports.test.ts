import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const WEB = join(import.meta.dirname, '..', 'packages/web/src');

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
