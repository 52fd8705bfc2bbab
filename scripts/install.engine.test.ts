import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const INSTALLS = 'Installing dependencies…\n';
const LIBRARY = 'packages/app/node_modules/library/package.json';
const TOOL = 'node_modules/tool/package.json';

/** A repository whose dependencies are folders in it, so that nothing is downloaded. */
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-install-'));
  write('package.json', {
    name: 'root',
    private: true,
    packageManager: 'bun@1.4.5',
    workspaces: ['packages/*'],
    devDependencies: { tool: 'file:./vendor/tool' },
  });
  write('packages/app/package.json', {
    name: 'app',
    private: true,
    dependencies: { library: 'file:../../vendor/library' },
  });
  write('vendor/tool/package.json', { name: 'tool', version: '1.0.0' });
  write('vendor/library/package.json', { name: 'library', version: '1.0.0' });
  Bun.spawnSync([process.execPath, 'install', '--lockfile-only'], { cwd: root });
  mkdirSync(join(root, 'scripts'));
  cpSync(join(import.meta.dirname, 'install.ts'), join(root, 'scripts', 'install.ts'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
}

async function install(...words: readonly string[]): Promise<{ code: number; text: string }> {
  const script = join(root, 'scripts', 'install.ts');
  // The script runs in another folder, and has to find its repository itself.
  const child = Bun.spawn([process.execPath, script, ...words], {
    cwd: tmpdir(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, text: stdout + stderr };
}

const has = (path: string) => existsSync(join(root, path));

test('the mode "production" installs what is needed to run, and only once', async () => {
  expect(await install('production')).toEqual({ code: 0, text: INSTALLS });
  expect([has(LIBRARY), has(TOOL)]).toEqual([true, false]);
  expect(await install('production')).toEqual({ code: 0, text: '' });
});

test('the mode "all" installs the rest, and production needs nothing more after it', async () => {
  await install('production');
  expect(await install('all')).toEqual({ code: 0, text: INSTALLS });
  expect([has(LIBRARY), has(TOOL)]).toEqual([true, true]);
  expect(await install('all')).toEqual({ code: 0, text: '' });
  expect(await install('production')).toEqual({ code: 0, text: '' });
  expect(has(TOOL)).toBe(true);
});

test.each(['bun.lock', 'packages/app/package.json'])('a changed %s is noticed', async (path) => {
  await install('all');
  writeFileSync(join(root, path), `${readFileSync(join(root, path), 'utf8')}\n`);
  expect(await install('production')).toEqual({ code: 0, text: INSTALLS });
  expect(has(TOOL)).toBe(true);
  expect(await install('all')).toEqual({ code: 0, text: '' });
});

test('a manual installation is kept', async () => {
  Bun.spawnSync([process.execPath, 'install'], { cwd: root });
  expect(await install('production')).toEqual({ code: 0, text: INSTALLS });
  expect(await install('all')).toEqual({ code: 0, text: '' });
});

test("a workspace's missing folder is noticed", async () => {
  await install('production');
  rmSync(join(root, 'packages/app/node_modules'), { recursive: true });
  expect(await install('production')).toEqual({ code: 0, text: INSTALLS });
  expect(has(LIBRARY)).toBe(true);
});

test('several installations at the same time all succeed', async () => {
  const modes = ['production', 'all', 'production', 'all', 'production', 'all'];
  const ended = await Promise.all(modes.map((mode) => install(mode)));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  expect([has(LIBRARY), has(TOOL)]).toEqual([true, true]);
  expect(await install('all')).toEqual({ code: 0, text: '' });
});

test('a failed installation shows the output of the installer, and the next run tries again', async () => {
  await install('all');
  write('packages/app/package.json', { name: 'app', dependencies: { other: 'file:../../other' } });
  for (const attempt of [1, 2]) {
    const { code, text } = await install('production');
    expect({ attempt, code }).toEqual({ attempt, code: 1 });
    expect(text).toStartWith(INSTALLS);
    expect(text).toContain('error: ');
    expect(text).toEndWith('hearth: installing the dependencies failed (exit 1)\n');
  }
});

test('after a failure the installed dependencies count as incomplete', async () => {
  await install('production');
  rmSync(join(root, 'vendor/tool'), { recursive: true });
  expect(await install('all')).toMatchObject({ code: 1 });
  expect(await install('production')).toMatchObject({ text: expect.stringMatching(INSTALLS) });
});

test.each([
  ['production', 'start'],
  ['all', 'run test'],
])('a runtime that is too old for %s gets a message that names %s', async (mode, command) => {
  write('package.json', { name: 'root', packageManager: 'bun@99.0.1' });
  const { bun } = process.versions;
  expect(await install(mode)).toEqual({
    code: 1,
    text: `Hearth needs Bun 99.0.1 or newer (this is ${bun}). Run: npx --yes bun@99.0.1 ${command}\n`,
  });
  expect(has('node_modules')).toBe(false);
});

test('an unknown mode is refused', async () => {
  expect(await install('some')).toMatchObject({ code: 1, text: expect.stringContaining('usage') });
});
