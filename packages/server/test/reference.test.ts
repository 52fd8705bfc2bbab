import { Glob } from 'bun';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { CHAPTERS, makeReference } from './support/reference/reference.ts';

const root = join(import.meta.dirname, '../../..');

test('[HT15] the reference for client authors is what the routes, the descriptions and a real instance say', async () => {
  const pages = await makeReference();
  for (const [path, text] of pages) {
    expect(
      await Bun.file(join(root, path)).text(),
      `Run \`bun run api\`: ${path} is out of date`,
    ).toBe(text);
  }
  const chapters = Object.keys(CHAPTERS).map((name) => `docs/api/${name}.md`);
  const files = await Array.fromAsync(new Glob('docs/api/*').scan({ cwd: root }));
  expect(files.toSorted()).toEqual([...pages.keys(), ...chapters].toSorted());
}, 60_000);
