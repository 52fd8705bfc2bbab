import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';

/** The files that `path` imports, directly and indirectly. */
function loadedWith(path: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(path) || !path.endsWith('.ts')) return loaded;
  loaded.add(path);
  const { imports } = new Bun.Transpiler({ loader: 'ts' }).scan(readFileSync(path, 'utf8'));
  for (const { kind, path: wanted } of imports) {
    if (kind !== 'import-statement' || wanted.startsWith('node:')) continue;
    loadedWith(Bun.resolveSync(wanted, `${path}/..`), loaded);
  }
  return loaded;
}

test('a start loads neither the SDK nor the client commands', () => {
  const loaded = [...loadedWith(`${import.meta.dirname}/main.ts`)];
  expect(loaded).toContain(`${import.meta.dirname}/client-commands.ts`);
  expect(loaded.filter((path) => /packages\/sdk\/|cli\/src\/chat\//.test(path))).toEqual([]);
});

test('the client commands load nothing of the server', () => {
  const loaded = [...loadedWith(`${import.meta.dirname}/chat/client.ts`)];
  expect(loaded.some((path) => path.includes('packages/sdk/'))).toBe(true);
  expect(loaded.filter((path) => path.includes('packages/server/'))).toEqual([]);
});
