import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtWebFolder } from '../../instances/built-web-folder.ts';
import { tempFolder, type TempFolder } from '../../temp-folder.ts';

const SCRIPT = 'assets/page-side.js';
const FIRST = '<meta charset="utf-8" />';

/**
 * A copy of the web client whose page runs `page-side.ts` before its own scripts. The instance allows it like any script
 * of the page, so nothing is changed in what is tested. Not every browser can add scripts to pages.
 */
export async function observedWebFolder(): Promise<TempFolder> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = cleanUp.use(await tempFolder());
  await cp(await builtWebFolder(), folder.path, { recursive: true });
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'page-side.ts')],
    target: 'browser',
    format: 'iife',
  });
  const [script] = outputs;
  if (script === undefined) throw new Error('the script was not built');
  await writeFile(join(folder.path, SCRIPT), await script.text());
  const page = join(folder.path, 'index.html');
  const before = await readFile(page, 'utf8');
  const after = before.replace(FIRST, () => `${FIRST}\n    <script src="${SCRIPT}"></script>`);
  if (after === before) throw new Error(`the page has no ${FIRST}`);
  await writeFile(page, after);
  const owned = cleanUp.move();
  return { path: folder.path, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
