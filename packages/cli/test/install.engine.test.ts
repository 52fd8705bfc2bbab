import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, type Ending } from '@hearth/testing/programs/hearth-process';
import { Home } from './support/home.ts';

const INSTALLING = 'Installing dependencies…\n';
const NOTHING = { exitCode: 0, stdout: '', stderr: '' };

/** A small project as it is after a checkout: with package files and lock file, without dependencies. */
let project: Home;

beforeEach(async () => {
  project = await Home.make();
  for (const folder of ['scripts', 'packages/hearth', 'packages/wood']) {
    await mkdir(project.path(folder), { recursive: true });
  }
  await copyFile(join(ROOT, 'scripts/install.ts'), project.path('scripts/install.ts'));
  await writePackage('.', { packageManager: `bun@${Bun.version}`, workspaces: ['packages/*'] });
  await writePackage('packages/wood', {});
  await writePackage('packages/hearth', { dependencies: { '@try/wood': 'workspace:*' } });
  expect(await bun('install', '--lockfile-only')).toMatchObject({ exitCode: 0 });
});

afterEach(() => project[Symbol.asyncDispose]());

test.each(['production', 'all'])(
  '[OP2] missing dependencies are installed, and nothing is done or printed if none are missing (%s)',
  async (mode) => {
    expect(await install(mode)).toEqual({ ...NOTHING, stderr: INSTALLING });
    expect(isInstalled()).toBe(true);
    expect(await install(mode)).toEqual(NOTHING);
    expect(await install('production')).toEqual(NOTHING);
  },
);

test.each([
  [
    'a dependency is gone',
    () => rm(project.path('packages/hearth/node_modules'), { recursive: true }),
  ],
  ['everything is gone', () => rm(project.path('node_modules'), { recursive: true })],
  ['a package changed', () => writePackage('packages/wood', { description: 'beech' })],
])('[OP2] dependencies are installed again if %s', async (_what, happen) => {
  await install('production');
  await happen();
  expect(await install('production')).toEqual({ ...NOTHING, stderr: INSTALLING });
  expect(isInstalled()).toBe(true);
  expect(await install('production')).toEqual(NOTHING);
});

test('[OP2] the tests install more than a start does', async () => {
  await install('production');
  expect(await install('all')).toEqual({ ...NOTHING, stderr: INSTALLING });
  expect(await install('all')).toEqual(NOTHING);
  expect(await install('production')).toEqual(NOTHING);
});

test.each(['production', 'all'])(
  '[OP2] dependencies are installed from the lock file, which is never changed (%s)',
  async (mode) => {
    const lock = await readFile(project.path('bun.lock'), 'utf8');
    await mkdir(project.path('stone'));
    await writePackage('stone', {});
    await writePackage('packages/wood', { dependencies: { stone: 'file:../../stone' } });
    const { exitCode, stdout, stderr } = await install(mode);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('frozen');
    expect(stderr).toEndWith('hearth: installing the dependencies failed (exit 1)\n');
    expect(await readFile(project.path('bun.lock'), 'utf8')).toBe(lock);
    // After a failure, the next start tries again.
    expect((await install(mode)).exitCode).toBe(1);
  },
);

test('[OP2] two starts at the same time install one after the other', async () => {
  const endings = await Promise.all(Array.from({ length: 4 }, () => install('production')));
  for (const { exitCode, stdout } of endings)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(isInstalled()).toBe(true);
  expect(await install('production')).toEqual(NOTHING);
});

test.each([
  ['production', 'start'],
  ['all', 'run test'],
])(
  '[OP2] a runtime that is too old is refused with the command that runs a newer one (%s)',
  async (mode, words) => {
    const { stdout: version } = await bun('--version');
    for (const wanted of ['99.0.0', `${version.trim()}9`]) {
      await writePackage('.', { packageManager: `bun@${wanted}`, workspaces: ['packages/*'] });
      expect(await install(mode)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `Hearth needs Bun ${wanted} or newer (this is ${version.trim()}). Run: npx --yes bun@${wanted} ${words}\n`,
      });
    }
    expect(isInstalled()).toBe(false);
  },
);

test('[OP2] a runtime that is newer than required is accepted', async () => {
  await writePackage('.', { packageManager: 'bun@1.0.30', workspaces: ['packages/*'] });
  expect((await install('production')).exitCode).toBe(0);
});

function install(mode: string): Promise<Ending> {
  return bun('scripts/install.ts', mode);
}

function bun(...words: readonly string[]): Promise<Ending> {
  const command = [process.execPath, ...words];
  return project.launch({ command, folder: project.folder, env: {} }).ended;
}

function isInstalled(): boolean {
  return existsSync(project.path('packages/hearth/node_modules/@try/wood/package.json'));
}

async function writePackage(folder: string, more: object): Promise<void> {
  const name = folder === '.' ? 'try' : folder.replace('packages', '@try');
  const description = { name, version: '0.0.0', private: true, ...more };
  await project.write(join(folder, 'package.json'), JSON.stringify(description));
}
