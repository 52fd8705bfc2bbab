import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { loadPart, lostParts, PARTS, retryParts } from './load-part.ts';

const SRC = join(import.meta.dirname, '..');
const LAZY = /\bimport\(\s*'([^']*)'|\bimport\(/g;
const NAMED = /loadPart\(\s*'([^']+)',\s*\(\) =>\s*import\(\s*'([^']+)'\s*\)/g;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
);
// `typeof import('…')` is a type.
const sources = files.map((file) => ({
  file,
  text: readFileSync(join(SRC, file), 'utf8').replaceAll(/typeof import\(/g, ''),
}));

test('[WC343] every dynamic import is made by loadPart, under the name of its part', () => {
  for (const { file, text } of sources) {
    const named = Array.from(text.matchAll(NAMED), ([, name, path = '']) => {
      const source = relative(SRC, join(SRC, dirname(file), path));
      expect({ file, name }).toEqual({ file, name: path.startsWith('.') ? source : path });
      return name;
    });
    expect({ file, imports: Array.from(text.matchAll(LAZY)).length }).toEqual({
      file,
      imports: named.length,
    });
  }
  const used = sources.flatMap(({ text }) => Array.from(text.matchAll(NAMED), ([, name]) => name));
  expect(Array.from(new Set(used)).toSorted()).toEqual([...PARTS].toSorted());
});

test('[WC343] a part that is lost is waited for, and loaded when the reader tries again', async () => {
  let isThere = false;
  let attempts = 0;
  const load = async () => {
    attempts += 1;
    if (!isThere) throw new TypeError('not loaded');
    return 'the part';
  };
  const lost = Promise.withResolvers<void>();
  const part = loadPart('app/views/later.ts', load, { onLost: lost.resolve });
  await lost.promise;
  expect([...lostParts.value]).toEqual([['app/views/later.ts', 'failed']]);
  isThere = true;
  retryParts();
  expect(await part).toBe('the part');
  expect(lostParts.value.size).toBe(0);
  expect(attempts).toBe(2);
});

test('[WC343] an optional part fails at once, and nothing is shown', async () => {
  const load = () => Promise.reject(new TypeError('not loaded'));
  const part = loadPart('gemoji', load, { isOptional: true });
  expect(await part.catch(String)).toContain('not loaded');
  expect(lostParts.value.size).toBe(0);
});
