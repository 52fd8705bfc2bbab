/**
 * Makes the bundle that `scripts/hearth.ts` runs, with its bytecode and the web client: `bun scripts/build.ts`. Each bundle
 * has its own folder in `dist`, which is complete before anything refers to it. A build may therefore be killed, and two
 * may run at once.
 */
import type { BunPlugin } from 'bun';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { buildWeb, hasWeb } from './build-web.ts';
import type { InputState, Stamp } from './hearth.ts';
import { copyNativeLibraries, NATIVE_LIBRARIES } from './native-libraries.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const ENTRY = join(ROOT, 'packages/cli/src/main.ts');
const MAIN_FILE = 'hearth.js';
/** The web client's folder, next to the main file. */
const WEB_FOLDER = 'web';
const STAMP_FILE = 'current';

/** The files that a bundle depends on besides the sources: the libraries, and the scripts that make it. */
const OTHER_INPUTS = [
  'bun.lock',
  'scripts/build.ts',
  'scripts/build-web.ts',
  'scripts/native-libraries.ts',
  'scripts/without-unused.ts',
];

/** Older bundles are kept, because running instances may still load parts of them. */
const KEPT_BUNDLES = 4;

/** A temporary folder as old as this belongs to no running build. */
const ABANDONED_AFTER_MS = 3_600_000;

await makeBundle();

async function makeBundle(): Promise<void> {
  // Paths in a bundle begin there.
  process.chdir(ROOT);
  mkdirSync(DIST, { recursive: true });
  // Taken before the sources are read, so that the next start notices a change made meanwhile.
  const before = new Map(sourceFiles().map((path) => [path, stateOf(path)]));
  const made = join(DIST, `.new-${crypto.randomUUID()}`);
  mkdirSync(made);
  const [ours, web] = await Promise.all([bundleAll(made), bundleWeb(join(made, WEB_FOLDER))]);
  copyNativeLibraries(ROOT, join(DIST, 'node_modules'));
  const inputs = new Set([...ours, ...web, ...OTHER_INPUTS]);
  // Otherwise default exports of lazily loaded modules would be read as Node reads those of CommonJS.
  writeFileSync(join(made, 'package.json'), '{ "type": "commonjs" }');
  const folder = publish(made);
  const stamp: Stamp = {
    runtime: `${Bun.version_with_sha} ${process.platform} ${process.arch}`,
    bundle: join('dist', folder, MAIN_FILE),
    inputs: Array.from(inputs, (path) => before.get(path) ?? [path, 0, 0]),
  };
  // For people only: a start finds its bundle through the stamp.
  replace(MAIN_FILE, `// Made by scripts/build.ts.\nrequire('./${folder}/${MAIN_FILE}');\n`);
  replace(STAMP_FILE, JSON.stringify(stamp));
  removeOld();
}

function sourceFiles(): readonly string[] {
  const folders = readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name));
  const packages = folders.filter(
    (path) => path !== 'packages/testing' && existsSync(join(ROOT, path, 'src')),
  );
  const sources = packages.flatMap((path) =>
    readdirSync(join(ROOT, path, 'src'), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(path, 'src', name),
    ),
  );
  const manifests = packages.map((path) => join(path, 'package.json'));
  return [...sources, ...manifests, ...webFiles(), ...OTHER_INPUTS];
}

/** Returns the files that the web client is made from besides its sources. */
function webFiles(): readonly string[] {
  const web = 'packages/web';
  const shown = join(web, 'public');
  const files = existsSync(join(ROOT, shown))
    ? readdirSync(join(ROOT, shown), { recursive: true, encoding: 'utf8' })
    : [];
  const settings = ['tsconfig.json', join(web, 'tsconfig.json')];
  const all = [...settings, shown, ...files.map((name) => join(shown, name))];
  return all.filter((path) => existsSync(join(ROOT, path)));
}

function stateOf(path: string): InputState {
  const { size, mtimeMs } = statSync(join(ROOT, path));
  return [path, size, mtimeMs];
}

/**
 * Bundles Hearth. Every dynamic import becomes a bundle of its own, because a start reads the whole main file, and a
 * library in it costs time even if it is not used. Such a module may share no class or state with the rest, because each
 * bundle has its own copy. Returns the paths of Hearth's own files in the bundles.
 */
async function bundleAll(outdir: string): Promise<readonly string[]> {
  const inputs = new Set<string>();
  const entries = new Map([[MAIN_FILE, ENTRY]]);
  const filter = dynamicImports();
  const splitting: BunPlugin = {
    name: 'a bundle for each dynamic import',
    setup(build) {
      build.onResolve({ filter }, ({ kind, path, importer }) => {
        if (kind !== 'dynamic-import') return undefined;
        if (Object.hasOwn(NATIVE_LIBRARIES, path)) return { path, external: true };
        const name = `${path.replace(/\.ts$/, '').replaceAll(/\W+/g, '-').replace(/^-/, '')}.js`;
        entries.set(name, Bun.resolveSync(path, dirname(importer)));
        return { path: `./${name}`, external: true };
      });
    },
  };
  // The map grows during this loop.
  for (const [naming, entry] of entries) {
    const { metafile } = await Bun.build({
      entrypoints: [entry],
      outdir,
      naming,
      target: 'bun',
      format: 'cjs',
      bytecode: true,
      // The folder of the bundle, which may be moved, rather than that of the sources.
      define: { 'import.meta.dirname': 'module.path' },
      metafile: true,
      plugins: [splitting],
    });
    for (const path of Object.keys(metafile?.inputs ?? {})) inputs.add(relative(ROOT, path));
  }
  return Array.from(inputs).filter((path) => !path.includes('node_modules'));
}

/**
 * Matches what Hearth's sources import dynamically, and nothing else. If a plugin handles a module, the bundler forgets
 * that it has no side effects, and keeps the parts of it that are not used.
 */
function dynamicImports(): RegExp {
  const sources = sourceFiles().filter((path) => path.endsWith('.ts'));
  const names = sources.flatMap((path) =>
    Array.from(
      readFileSync(join(ROOT, path), 'utf8').matchAll(/\bimport\(\s*['"]([^'":]+)['"]/g),
      ([, name = '']) => RegExp.escape(name),
    ),
  );
  return new RegExp(`^(${names.join('|')})$`);
}

/**
 * Builds the web client into `folder` and returns the paths of its own sources. An instance runs without it, so an error
 * is printed but does not stop the bundle. In that case the bundle depends on all of the web client's sources.
 */
async function bundleWeb(folder: string): Promise<readonly string[]> {
  if (!hasWeb()) return [];
  try {
    return await buildWeb(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(`The web client cannot be built:\n${Bun.inspect(error)}\n`);
    process.exitCode = 1;
    return sourceFiles().filter((path) => /^packages\/(web|sdk)\//.test(path));
  }
}

/** Names the folder after its content, and returns the name. */
function publish(made: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version_with_sha);
  for (const name of readdirSync(made, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(made, name);
    if (statSync(path).isFile()) hash.update(`\0${name}\0`).update(readFileSync(path));
  }
  const folder = hash.digest('hex').slice(0, 16);
  try {
    renameSync(made, join(DIST, folder));
  } catch (error) {
    // Another build has made the same bundle.
    if (!readdirSync(DIST).includes(folder)) throw error;
    rmSync(made, { recursive: true });
  }
  return folder;
}

function replace(name: string, text: string): void {
  const temporary = join(DIST, `.${name}-${process.pid}`);
  writeFileSync(temporary, text);
  renameSync(temporary, join(DIST, name));
}

function removeOld(): void {
  const found = readdirSync(DIST).map((name) => {
    const path = join(DIST, name);
    return { path, madeAtMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const isBundle = (path: string) => /^[\da-f]{16}$/.test(basename(path));
  const bundles = found.filter(({ path }) => isBundle(path));
  const old = bundles.toSorted((a, b) => b.madeAtMs - a.madeAtMs).slice(KEPT_BUNDLES);
  const abandoned = found.filter(
    ({ path, madeAtMs }) =>
      basename(path).startsWith('.') && Date.now() - madeAtMs > ABANDONED_AFTER_MS,
  );
  for (const { path } of [...old, ...abandoned]) rmSync(path, { recursive: true, force: true });
}
