import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const PAGE = `<!doctype html>
<html>
  <head>
    <title>Hearth</title>
    <link rel="icon" href="/icon.svg" />
  </head>
  <body>
    <a href="//elsewhere.example/">x</a>
    <script type="module" src="./main.tsx"></script>
  </body>
</html>
`;

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'packages/web/package.json': '{}',
  'packages/web/src/index.html': PAGE,
  'packages/web/src/before-modules.ts': `globalThis.order = ['before'];`,
  'packages/web/src/main.tsx': `
    import './styles/index.css';
    import { shared } from './shared.ts';
    console.log(shared, process.env.NODE_ENV);
    document.onclick = async () => console.log(await import('./later.ts'));
  `,
  'packages/web/src/shared.ts': `export const shared = '${'shared '.repeat(50)}';`,
  'packages/web/src/later.ts': `
    import { shared } from './shared.ts';
    export const later = [shared, 'later'];
  `,
  'packages/web/src/service-worker.ts': `
    declare const WEB_BUILD: { version: string; first: string[]; later: string[] };
    self.build = WEB_BUILD;
    export {};
  `,
  'packages/web/src/styles/index.css': `
    @font-face { font-family: Font; src: url('./font.woff2') }
    body { font-family: Font }
  `,
  'packages/web/src/styles/font.woff2': 'a font',
  'packages/web/public/icon.svg': `<svg>${'<g/>'.repeat(50)}</svg>`,
  'packages/web/public/icons/icon.png': 'png',
  'packages/web/public/manifest.webmanifest': '{ "start_url": "./" }',
};

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-build-web-'));
  mkdirSync(join(root, 'scripts'));
  for (const name of ['build-web.ts', 'without-unused.ts']) {
    cpSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  }
  for (const [path, text] of Object.entries(FILES)) write(path, text);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function build(...words: readonly string[]): Promise<{ code: number; stderr: string }> {
  const command = [process.execPath, join(root, 'scripts/build-web.ts'), ...words];
  // The script runs in another folder, and has to find its repository itself.
  const child = Bun.spawn(command, { cwd: tmpdir(), stderr: 'pipe' });
  return { stderr: await new Response(child.stderr).text(), code: await child.exited };
}

async function built(name = 'web'): Promise<readonly string[]> {
  expect(await build(join(root, name))).toEqual({ code: 0, stderr: '' });
  const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) =>
    join(entry.parentPath, entry.name).slice(join(root, name).length + 1),
  );
  return paths.toSorted();
}

const read = (path: string) => readFileSync(join(root, 'web', path), 'utf8');
const like = (files: readonly string[], pattern: RegExp) =>
  files.find((path) => pattern.test(path)) ?? `nothing like ${pattern}`;

test('scripts, styles and fonts are named after their content, and everything else keeps its name', async () => {
  const names = (await built()).filter((path) => !/\.(br|gz)$/.test(path));
  // Sorted again, because two files of the same name are in the order of their hashes.
  expect(names.map((path) => path.replace(/-[\da-z]{8}\./, '-HASH.')).toSorted()).toEqual([
    'assets/before-modules-HASH.js',
    'assets/font-HASH.woff2',
    'assets/later-HASH.js',
    'assets/main-HASH.css',
    'assets/main-HASH.js',
    'icon.svg',
    'icons/icon.png',
    'index.html',
    'manifest.webmanifest',
    'sw.js',
  ]);
});

test('[WC10] a file gets another name if its content, or a file that it refers to, changes', async () => {
  const before = (await built()).filter((path) => path.startsWith('assets/'));
  expect((await built('again')).filter((path) => path.startsWith('assets/'))).toEqual(before);
  write('packages/web/src/before-modules.ts', `globalThis.order = ['changed'];`);
  write('packages/web/src/later.ts', `export const later = 'other';`);
  write('packages/web/src/styles/font.woff2', 'another font');
  const after = (await built('other')).filter((path) => path.startsWith('assets/'));
  expect(after.filter((path) => before.includes(path))).toEqual([]);
});

test('[WC5][WC9][WC343] the page lists the files of its parts, has a place for the instance information, and its addresses are relative', async () => {
  const files = await built();
  const [script, style] = [like(files, /main-.*\.js$/), like(files, /main-.*\.css$/)];
  const before = like(files, /before-modules-.*\.js$/);
  const later = like(files, /later-.*\.js$/);
  expect(read('index.html')).toBe(
    PAGE.replace('    <script type="module" src="./main.tsx"></script>\n', '')
      .replace('<head>', '<head>\n    <base href="./" />')
      .replace('href="/icon.svg"', 'href="icon.svg"')
      .replace(
        '  </head>',
        `    <script src="${before}"></script>
    <link rel="stylesheet" href="${style}" />
    <script type="application/json" id="instance-info"></script>
    <script type="application/json" id="parts">{"later.ts":["${later}"]}</script>
    <script type="module" src="${script}"></script>
  </head>`,
      ),
  );
});

test('[WC8] the files that a style refers to stay files of their own', async () => {
  const files = await built();
  const font = like(files, /\.woff2$/);
  expect(read(font)).toBe('a font');
  expect(read(like(files, /\.css$/))).toContain(`url(./${font.replace('assets/', '')})`);
});

test('[WC11] text files have compressed copies if those are smaller', async () => {
  const files = await built();
  const copies = files.filter((path) => /\.(br|gz)$/.test(path));
  expect(copies.some((path) => /main-.*\.js\.br$/.test(path))).toBe(true);
  for (const path of copies) {
    const bytes = readFileSync(join(root, 'web', path));
    const plain = path.endsWith('.br') ? brotliDecompressSync(bytes) : gunzipSync(bytes);
    expect(plain.toString()).toBe(read(path.slice(0, -3)));
    expect(bytes.length).toBeLessThan(plain.length * 0.9);
  }
  // The server changes the page and the manifest; pictures and fonts are already compressed.
  expect(copies.filter((path) => /html|webmanifest|png|woff2/.test(path))).toEqual([]);
});

test('the service worker has a list of the files, and changes if any of them changes', async () => {
  const listed = () =>
    /version:"([^"]*)",first:(\[.*?\]),later:(\[.*?\])/.exec(read('sw.js')) ?? [];
  const files = await built();
  const [, version = '', first = '', later = ''] = listed();
  expect(version).toMatch(/^[\da-f]{16}$/);
  expect(JSON.parse(later)).toEqual([like(files, /later-.*\.js$/)]);
  const patterns = [/\.woff2$/, /before-modules-.*\.js$/, /main-.*\.css$/, /main-.*\.js$/];
  expect(new Set(JSON.parse(first))).toEqual(
    new Set(patterns.map((pattern) => like(files, pattern))),
  );
  write('packages/web/public/icon.svg', '<svg/>');
  rmSync(join(root, 'web'), { recursive: true });
  await built();
  expect(listed()[1]).not.toBe(version);
});

test('libraries are built for production', async () => {
  expect(read(like(await built(), /main-.*\.js$/))).toContain('"production"');
});

test('the code that describes schemas as JSON Schema is left out', async () => {
  const folder = 'node_modules/zod/v4/core';
  write('node_modules/zod/package.json', '{ "name": "zod", "type": "module" }');
  write(
    `${folder}/to-json-schema.js`,
    `export const process = () => 'described'; export { process as go };`,
  );
  write(`${folder}/schemas.js`, `export const parse = () => 'parsed';`);
  write(
    'packages/web/src/main.tsx',
    `import { process, go } from 'zod/v4/core/to-json-schema.js';
     import { parse } from 'zod/v4/core/schemas.js';
     console.log(process(), go(), parse());`,
  );
  const script = read(like(await built(), /main-.*\.js$/));
  expect([script.includes('parsed'), script.includes('described')]).toEqual([true, false]);
});

test('the object of all schemas is left out', async () => {
  write('node_modules/zod/package.json', '{ "name": "zod", "type": "module" }');
  write('node_modules/zod/v4/other.js', `export const other = () => 'other';`);
  write(
    'node_modules/zod/v4/classic/from-json-schema.js',
    `import * as all from '../other.js';
     const z = { ...all };
     export const fromJSONSchema = () => z;`,
  );
  write(
    'packages/web/src/main.tsx',
    `import { fromJSONSchema } from 'zod/v4/classic/from-json-schema.js';
     console.log(fromJSONSchema());`,
  );
  const script = read(like(await built(), /main-.*\.js$/));
  expect(script).not.toContain('other');
});

test('it is reported if the schema library has changed', async () => {
  write('node_modules/zod/package.json', '{ "name": "zod", "type": "module" }');
  write('node_modules/zod/v4/classic/schemas.js', 'export const ZodString = 1;');
  write(
    'packages/web/src/main.tsx',
    `import * as schemas from 'zod/v4/classic/schemas.js';
     console.log(schemas);`,
  );
  expect((await build(join(root, 'web'))).stderr).toContain('the schema library has no');
});

test('rules with :is() have no copies, which browsers would weigh differently', async () => {
  write(
    'packages/web/src/styles/index.css',
    '.text :is(ul, ol) { color: red } @media (width < 9rem) { .a:is(.b, .c) { inset-inline-start: 0 } }',
  );
  const style = read(like(await built(), /main-.*\.css$/));
  expect(style).toContain('.text :is(ul,ol){color:red}@media');
  expect(style).toMatch(/\{\.a:is\(\.b,\.c\).*\{left:0\}/);
  expect(style).not.toContain('-any(');
});

test('a web client without a service worker, styles and public files can be built', async () => {
  for (const path of ['src/service-worker.ts', 'public']) {
    rmSync(join(root, 'packages/web', path), { recursive: true });
  }
  write('packages/web/src/main.tsx', 'console.log(1);');
  const files = await built();
  expect(files.map((path) => path.replace(/-.*/, ''))).toEqual(
    expect.arrayContaining(['assets/main', 'index.html']),
  );
  expect(files.join()).not.toMatch(/css|sw\.js/);
});

test.each([
  ['packages/web/src/index.html', '<head></head>', 'does not load ./main.tsx'],
  ['packages/web/src/main.tsx', 'const = 1;', 'main.tsx'],
])('a mistake in %s is reported', async (path, text, message) => {
  write(path, text);
  const { code, stderr } = await build(join(root, 'web'));
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test('the script prints its usage if it is called without a folder', async () => {
  expect((await build()).stderr).toContain('usage: bun scripts/build-web.ts <folder>');
});
