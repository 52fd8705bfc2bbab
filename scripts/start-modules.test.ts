import type { BunPlugin } from 'bun';
import { expect, test } from 'bun:test';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../packages/cli/src/main.ts');

/** What is imported dynamically is loaded later, by `build.ts` from bundles of its own. */
const withoutLaterParts: BunPlugin = {
  name: 'without later parts',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

test('a start waits for few modules of the runtime, because some take as long as a tenth of it', async () => {
  const { outputs } = await Bun.build({
    entrypoints: [MAIN],
    target: 'bun',
    format: 'cjs',
    plugins: [withoutLaterParts],
  });
  const text = (await outputs[0]?.text()) ?? '';
  const loaded = Array.from(text.matchAll(/\brequire\("([^"]+)"\)/g), ([, name]) => name);
  expect([...new Set(loaded)].toSorted()).toEqual(['buffer', 'bun:sqlite', 'fs', 'path']);
});
