import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const MAIN = 'packages/cli/src/main.ts';
const PART = 'packages/cli/src/part.ts';
const LATER = 'packages/server/src/later.ts';
const SCRIPTS = [
  'hearth.ts',
  'build.ts',
  'build-web.ts',
  'native-libraries.ts',
  'without-unused.ts',
];

/** Prints whether it is bundled, the words of the other files, and its arguments. */
const MAIN_TEXT = `
import { part } from './part.ts';
void main();
async function main() {
  const { later } = await import('../../server/src/later.ts');
  const { default: library, name } = await import('library');
  const from = String(new Error('here').stack).includes('/dist/') ? 'bundle' : 'source';
  console.log([from, part, later, library[name], ...process.argv.slice(2)].join(' '));
  process.exit(3);
}
`;

const PAGE = 'packages/web/src/index.html';
const WEB: Readonly<Record<string, string>> = {
  'packages/web/package.json': '{}',
  'packages/web/public/icon.svg': '<svg/>',
  'packages/web/src/main.tsx': `import { word } from '../../sdk/src/word.ts'; console.log(word);`,
  'packages/sdk/src/word.ts': `export const word = 'one';`,
  'packages/sdk/package.json': '{}',
  [PAGE]: '<head></head><body><script type="module" src="./main.tsx"></script></body>',
};

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-build-'));
  for (const name of SCRIPTS) {
    cpSync(join(import.meta.dirname, name), join(root, 'scripts', name), { recursive: true });
  }
  write('package.json', '{ "type": "module" }');
  write('bun.lock', '');
  write('node_modules/library/package.json', '{ "type": "module", "exports": "./main.js" }');
  write('node_modules/library/main.js', "export const name = 'a'; export default { a: 'three' };");
  write('packages/cli/package.json', '{}');
  write('packages/server/package.json', '{}');
  write(MAIN, MAIN_TEXT);
  write(PART, `export const part = 'one';`);
  write(LATER, `export const later = 'two';`);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function script(name: string, words: readonly string[]) {
  const command = [process.execPath, join(root, 'scripts', name), ...words];
  // The script runs in another folder, and has to find its repository itself.
  return Bun.spawn(command, { cwd: tmpdir(), stdout: 'pipe', stderr: 'pipe' });
}

async function hearth(...words: readonly string[]): Promise<{ code: number; text: string }> {
  const child = script('hearth.ts', words);
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, text: (stdout + stderr).trim() };
}

const bundles = () =>
  readdirSync(join(root, 'dist'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

test('the first run makes a bundle, and the next one runs the same bundle', async () => {
  expect(await hearth('static', 'a b')).toEqual({
    code: 3,
    text: 'bundle one two three static a b',
  });
  const made = bundles();
  expect(made).toHaveLength(1);
  expect(readdirSync(join(root, 'dist', made[0] ?? '')).toSorted()).toEqual([
    'hearth.js',
    'hearth.js.jsc',
    'library.js',
    'library.js.jsc',
    'package.json',
    'server-src-later.js',
    'server-src-later.js.jsc',
  ]);
  // The sources of the bundle are not read again.
  const stamp = Bun.file(join(root, 'dist/current'));
  const { lastModified } = stamp;
  expect(await hearth()).toEqual({ code: 3, text: 'bundle one two three' });
  expect(bundles()).toEqual(made);
  expect(Bun.file(join(root, 'dist/current')).lastModified).toBe(lastModified);
});

test('unused parts of modules without side effects are left out', async () => {
  write('node_modules/pure/package.json', '{ "sideEffects": false, "exports": "./main.js" }');
  write('node_modules/pure/main.js', `export * from './one.js'; export * from './two.js';`);
  write('node_modules/pure/one.js', `export const one = String('used');`);
  write('node_modules/pure/two.js', `export const two = String('nobody needs it');`);
  write(PART, `export { one as part } from 'pure';`);
  expect(await hearth()).toEqual({ code: 3, text: 'bundle used two three' });
  const bundle = readFileSync(join(root, 'dist', bundles()[0] ?? '', 'hearth.js'), 'utf8');
  expect(bundle).toContain('used');
  expect(bundle).not.toContain('nobody needs it');
});

test.each([
  [PART, `export const part = 'new';`, 'bundle new two three'],
  [LATER, `export const later = 'new';`, 'bundle one new three'],
  [MAIN, MAIN_TEXT.replace("'bundle'", "'other'"), 'other one two three'],
])('a change in %s makes a new bundle with other content', async (path, text, expected) => {
  await hearth();
  write(path, text);
  expect(await hearth()).toEqual({ code: 3, text: expected });
});

test.each(['bun.lock', 'scripts/build.ts'])(
  'a change in %s makes the bundle again',
  async (path) => {
    await hearth();
    const before = Bun.file(join(root, 'dist/current')).lastModified;
    utimesSync(join(root, path), 1, 1);
    expect(await hearth()).toMatchObject({ text: 'bundle one two three' });
    expect(Bun.file(join(root, 'dist/current')).lastModified).toBeGreaterThan(before);
  },
);

test('a bundle that was made by another runtime is not used', async () => {
  await hearth();
  const stamp = join(root, 'dist/current');
  write('dist/current', JSON.stringify({ ...(await Bun.file(stamp).json()), runtime: 'v0.0.1' }));
  expect(await hearth()).toMatchObject({ text: 'bundle one two three' });
  expect(await Bun.file(stamp).text()).not.toContain('v0.0.1');
});

test('a removed bundle is made again', async () => {
  await hearth();
  for (const name of bundles()) rmSync(join(root, 'dist', name), { recursive: true });
  expect(await hearth()).toMatchObject({ text: 'bundle one two three' });
});

test('the sources run if no bundle can be written', async () => {
  write('dist', 'no folder');
  expect(await hearth('word')).toEqual({ code: 3, text: 'source one two three word' });
});

test('the sources run if a stale bundle cannot be replaced', async () => {
  await hearth();
  write(PART, `export const part = 'new';`);
  write('scripts/build.ts', 'process.exit(1);');
  expect(await hearth()).toEqual({ code: 3, text: 'source new two three' });
});

test('the runtime reports a mistake in the sources', async () => {
  write(PART, 'export const part = ;');
  const { code, text } = await hearth();
  expect(code).toBe(1);
  expect(text).toContain('part.ts:1:21');
});

test('several starts at the same time run the same bundle', async () => {
  const ended = await Promise.all([1, 2, 3, 4].map((word) => hearth(String(word))));
  expect(ended.map(({ text }) => text)).toEqual(
    [1, 2, 3, 4].map((n) => `bundle one two three ${n}`),
  );
  expect(bundles()).toHaveLength(1);
});

test('a build may be killed at any time', async () => {
  for (const delayMs of [5, 10, 20, 40, 80]) {
    write(PART, `export const part = '${delayMs}';`);
    const build = script('build.ts', []);
    await Bun.sleep(delayMs);
    build.kill('SIGKILL');
    await build.exited;
    expect(await hearth()).toEqual({ code: 3, text: `bundle ${delayMs} two three` });
  }
});

test('only the most recent unused bundles are kept', async () => {
  for (let version = 1; version <= 7; version += 1) {
    write(PART, `export const part = '${version}';`);
    await hearth();
  }
  expect(bundles()).toHaveLength(4);
  expect(await hearth()).toMatchObject({ text: 'bundle 7 two three' });
});

test('the main file of the newest bundle can be run from a path that never changes', async () => {
  await hearth();
  const child = Bun.spawn([process.execPath, join(root, 'dist/hearth.js'), 'word']);
  expect(await new Response(child.stdout).text()).toBe('bundle one two three word\n');
});

test('the bundle knows its own path even after it was moved', async () => {
  write(PART, `export const part = import.meta.dirname;`);
  await hearth();
  const [made = ''] = bundles();
  renameSync(join(root, 'dist', made), join(root, 'moved'));
  const child = Bun.spawn([process.execPath, join(root, 'moved/hearth.js')]);
  expect(await new Response(child.stdout).text()).toContain(` ${join(root, 'moved')} `);
});

describe('with a web client', () => {
  beforeEach(() => {
    for (const [path, text] of Object.entries(WEB)) write(path, text);
  });

  const served = (name: string) => join(root, 'dist', bundles().at(-1) ?? '', 'web', name);

  test('[WC3] the bundle has the web client next to it', async () => {
    expect(await hearth()).toMatchObject({ text: 'bundle one two three' });
    expect(bundles()).toHaveLength(1);
    expect(readFileSync(served('icon.svg'), 'utf8')).toBe('<svg/>');
    expect(readFileSync(served('index.html'), 'utf8')).toContain('assets/main-');
  });

  test.each([
    ...Object.keys(WEB).filter((path) => path !== 'packages/sdk/package.json'),
    'packages/web/public/other.svg',
    'scripts/build-web.ts',
    'scripts/without-unused.ts',
  ])('a changed %s makes a new bundle', async (path) => {
    await hearth();
    const stamp = join(root, 'dist/current');
    const before = statSync(stamp).mtimeMs;
    // Nothing has changed yet.
    await hearth();
    expect(statSync(stamp).mtimeMs).toBe(before);
    const old = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
    write(path, `${old}\n`);
    await hearth();
    expect(statSync(stamp).mtimeMs).toBeGreaterThan(before);
  });

  test.each([
    [PAGE, '<head></head>'],
    ['packages/web/src/main.tsx', 'const = 1;'],
    ['packages/sdk/src/word.ts', 'export const other = 1;'],
  ])(
    '[WC3] a mistake in %s is reported by the build, and does not stop a start',
    async (path, text) => {
      write(path, text);
      const build = script('build.ts', []);
      expect(await new Response(build.stderr).text()).toStartWith(
        'The web client cannot be built:',
      );
      expect(await build.exited).toBe(1);
      expect(await hearth()).toMatchObject({ text: 'bundle one two three' });
      expect(bundles()).toHaveLength(1);
      expect(existsSync(served(''))).toBe(false);
      // The build is not tried again until something has changed.
      const stamp = join(root, 'dist/current');
      const before = statSync(stamp).mtimeMs;
      await hearth();
      expect(statSync(stamp).mtimeMs).toBe(before);
      write(path, WEB[path] ?? '');
      await hearth();
      expect(bundles()).toHaveLength(2);
    },
  );
});
