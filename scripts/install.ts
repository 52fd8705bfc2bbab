/**
 * Installs the dependencies of the lock file if needed: `bun scripts/install.ts production|all`. The package scripts run
 * it before anything else, so it imports only built-in modules of the runtime.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

type Mode = 'production' | 'all';

interface Stamp {
  readonly digest: string;
  readonly mode: Mode;
  /** The node_modules folders that the installation made, relative to the root. */
  readonly folders: readonly string[];
}

const ROOT = join(import.meta.dirname, '..');
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.hearth-install');
const LOCK = join(MODULES, '.hearth-install.lock');
const LOCK_WAIT_MS = 600_000;

/** The command to suggest if the runtime is too old, by mode. */
const COMMAND_OF: Readonly<Record<Mode, string>> = { production: 'start', all: 'run test' };

process.exitCode = await install(process.argv[2]);

async function install(mode: string | undefined): Promise<number> {
  if (mode !== 'production' && mode !== 'all') {
    return fail('usage: bun scripts/install.ts production|all');
  }
  const refusal = runtimeRefusal(mode);
  if (refusal !== undefined) return fail(refusal);
  if (!isNeeded(mode)) return 0;
  process.stderr.write('Installing dependencies…\n');
  mkdirSync(MODULES, { recursive: true });
  await using _lock = await exclusiveLock();
  // Another process may have done it while this one waited.
  return isNeeded(mode) ? runInstaller(mode) : 0;
}

function runInstaller(requested: Mode): number {
  const mode = hasAll() ? 'all' : requested;
  const digest = currentDigest();
  // Until the installation has finished, no run may rely on what is installed.
  rmSync(STAMP, { force: true });
  const flags = mode === 'production' ? ['--production'] : [];
  const command = [process.execPath, 'install', '--frozen-lockfile', ...flags];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT });
  if (exitCode !== 0) {
    const said = stdout.toString() + stderr.toString();
    return fail(`${said}\nhearth: installing the dependencies failed (exit ${exitCode})`);
  }
  writeStamp({ digest, mode, folders: modulesFolders() });
  return 0;
}

function isNeeded(mode: Mode): boolean {
  const stamp = readStamp();
  if (stamp === undefined || stamp.digest !== currentDigest()) return true;
  if (mode === 'all' && stamp.mode !== 'all') return true;
  return !stamp.folders.every((folder) => existsSync(join(ROOT, folder)));
}

/** Returns whether the development dependencies are installed, by this script or in another way. */
function hasAll(): boolean {
  const { devDependencies } = rootPackage();
  return Object.keys(devDependencies).some((name) => existsSync(join(MODULES, name)));
}

function runtimeRefusal(mode: Mode): string | undefined {
  const { packageManager } = rootPackage();
  const wanted = packageManager.replace('bun@', '');
  const { bun } = process.versions;
  if (bun !== undefined && !isOlder(bun, wanted)) return undefined;
  const found = bun === undefined ? 'this is not Bun' : `this is ${bun}`;
  return `Hearth needs Bun ${wanted} or newer (${found}). Run: npx --yes bun@${wanted} ${COMMAND_OF[mode]}`;
}

function isOlder(version: string, wanted: string): boolean {
  const [own, other] = [version, wanted].map((text) => text.split(/[.-]/, 3).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (own?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** A hash of everything that decides what an installation contains. */
function currentDigest(): string {
  // Not node:crypto, which takes longer to load than everything else in this file.
  const hash = new Bun.CryptoHasher('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['bun.lock', ...workspaces().map((folder) => join(folder, 'package.json'))]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

function workspaces(): readonly string[] {
  const packages = readdirSync(join(ROOT, 'packages')).toSorted();
  const folders = packages.map((name) => join('packages', name));
  const known = ['bench', 'examples', ...folders];
  return ['.', ...known.filter((folder) => existsSync(join(ROOT, folder, 'package.json')))];
}

function modulesFolders(): readonly string[] {
  const folders = workspaces().map((folder) => join(folder, 'node_modules'));
  return folders.filter((folder) => existsSync(join(ROOT, folder)));
}

function readStamp(): Stamp | undefined {
  if (!existsSync(STAMP)) return undefined;
  const [digest = '', mode, ...folders] = readFileSync(STAMP, 'utf8').trimEnd().split('\n');
  return mode === 'production' || mode === 'all' ? { digest, mode, folders } : undefined;
}

function writeStamp({ digest, mode, folders }: Stamp): void {
  writeFileSync(`${STAMP}.new`, `${[digest, mode, ...folders].join('\n')}\n`);
  renameSync(`${STAMP}.new`, STAMP);
}

function rootPackage(): { readonly packageManager: string; readonly devDependencies: object } {
  const parsed: { packageManager: string; devDependencies?: object } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  return { packageManager: parsed.packageManager, devDependencies: parsed.devDependencies ?? {} };
}

/** A lock that the kernel releases when the process dies: an exclusive transaction on an SQLite file. */
async function exclusiveLock(): Promise<AsyncDisposable> {
  // Not a static import: runtimes that are too old for Hearth lack the module, and should get a clear message.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(LOCK);
  database.exec(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`);
  database.exec('BEGIN EXCLUSIVE');
  return {
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

function fail(text: string): number {
  process.stderr.write(`${text.trim()}\n`);
  return 1;
}
