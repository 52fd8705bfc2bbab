import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Lines that skip a test of one engine. CI has all servers, and fails if anything is skipped. */
const SKIPPING = /\.skipIf\([^)]*\bengine\b/;

test('a test that is about one engine is defined for this engine only, and skipped for none', () => {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.test.ts', '*.contract.ts'], {
    cwd: ROOT,
  });
  const files = stdout.toString().trim().split('\n');
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (SKIPPING.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  expect(found).toEqual([]);
});
