import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { tempFolder, type TempFolder } from '../temp-folder.ts';

/** A script that has compressed copies. */
export const SCRIPT = 'assets/main-0a1b2c3d.js';
export const SCRIPT_TEXT = 'console.log("hello");'.repeat(100);

/** A stylesheet that has none. */
export const STYLE = 'assets/main-4e5f6a7b.css';

export const PAGE_TEXT = `<!doctype html>
<html lang="en">
  <head>
    <base href="./" />
    <title>A client</title>
    <link rel="stylesheet" href="${STYLE}" />
    <script type="application/json" id="instance-info"></script>
    <script type="module" src="${SCRIPT}"></script>
  </head>
  <body><div id="app"></div></body>
</html>
`;

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'index.html': PAGE_TEXT,
  'manifest.webmanifest': JSON.stringify({ name: 'A client', start_url: './', icons: [] }),
  'sw.js': 'self.skipWaiting();',
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  [SCRIPT]: SCRIPT_TEXT,
  [`${SCRIPT}.gz`]: gzipSync(SCRIPT_TEXT),

  [`${SCRIPT}.br`]: brotliCompressSync(SCRIPT_TEXT),
  [STYLE]: 'p { color: red }',
};

/** A folder with a small web client. Some of its files can be replaced, or left out (undefined). */
export async function webFolder(
  changes: Readonly<Record<string, string | Uint8Array | undefined>> = {},
): Promise<TempFolder> {
  const folder = await tempFolder();
  for (const [name, content] of Object.entries({ ...FILES, ...changes })) {
    if (content === undefined) continue;
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), content);
  }
  return folder;
}
