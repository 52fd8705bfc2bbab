import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FEATURES = join(import.meta.dirname, '..', 'packages/server/src/features');

/** An order of texts; the words of an index are the only texts that features sort without saying how. */
const BY_TEXT = /(?<!Words\([^)]*\)\])\.(?:toSorted|sort)\(\)|Id < \w+\.\w+Id\b/g;

test('features sort identifiers by their numbers, which is the order in which SQL locks their rows', () => {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.ts'], { cwd: FEATURES });
  const sources = stdout
    .toString()
    .trim()
    .split('\n')
    .filter((file) => !file.endsWith('.test.ts'));
  expect(sources.length).toBeGreaterThan(500);
  const byText = sources.flatMap((file) => {
    const text = readFileSync(join(FEATURES, file), 'utf8');
    return (text.match(BY_TEXT) ?? []).map((order) => `${file}: ${order}`);
  });
  expect(byText).toEqual([]);
});
