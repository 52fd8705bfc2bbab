import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { WITHOUT_DISPOSING } from '@hearth/testing/browser/without-disposing';

test('[SK45] the library can be imported in a browser without Symbol.dispose', async () => {
  for (const [entry, name] of [
    ['index', 'connect'],
    ['posts', 'addPosts'],
    ['communities', 'addCommunities'],
  ] as const) {
    const { outputs } = await Bun.build({
      entrypoints: [join(import.meta.dir, `../src/${entry}.ts`)],
      target: 'browser',
      format: 'cjs',
    });
    const library: Record<string, unknown> = {};
    const browser = createContext({ URL, TextEncoder, module: { exports: library } });
    runInContext(WITHOUT_DISPOSING, browser);
    expect(runInContext('typeof Symbol.dispose', browser)).toBe('undefined');
    runInContext((await outputs[0]?.text()) ?? '', browser);
    expect(runInContext(`typeof module.exports.${name}`, browser)).toBe('function');
  }
});
