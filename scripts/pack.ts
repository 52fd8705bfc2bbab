/**
 * Packs the packages that can be published, like `npm pack`: `bun scripts/pack.ts [folder]`; the folder is `dist/packages`
 * by default. Prints the path of each tarball, that of the client library first. The packages have JavaScript and declarations instead of TypeScript. The
 * client library contains its dependencies, so that its tarball can be installed alone.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { bundlePackage } from './bundle-package.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

/** The order matters: a package is compiled against the output of those before it. */
const PACKAGES = ['protocol', 'markdown', 'sdk'] as const;

/** The packages that contain their dependencies. */
const BUNDLED: readonly string[] = ['sdk'];

/** The packages that are only a part of others. */
const INSIDE: readonly string[] = ['markdown'];

/** The language version that every runtime supported by the client library understands. */
const TARGET = 'ES2023';

for (const tarball of await pack(resolve(process.argv[2] ?? join(ROOT, 'dist/packages')))) {
  process.stdout.write(`${tarball}\n`);
}

/** Returns the paths of the tarballs: a package comes before those that it depends on. */
async function pack(folder: string): Promise<readonly string[]> {
  const stage = mkdtempSync(join(tmpdir(), 'hearth-pack-'));
  try {
    mkdirSync(folder, { recursive: true });
    const tarballs: string[] = [];
    for (const name of PACKAGES) {
      await stagePackage(name, stage);
      if (INSIDE.includes(name)) continue;
      const packing = ['npm', 'pack', '--silent', '--pack-destination', folder];
      tarballs.push(join(folder, run(packing, join(stage, name)).trim()));
    }
    return tarballs.toReversed();
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

async function stagePackage(name: string, stage: string): Promise<void> {
  const from = join(ROOT, 'packages', name);
  const to = join(stage, name);
  const manifest = manifestOf(name);
  const isShipped = (path: string) => !path.endsWith('.test.ts');
  cpSync(join(from, 'src'), join(to, 'src'), { recursive: true, filter: isShipped });
  if (!INSIDE.includes(name)) cpSync(join(from, 'README.md'), join(to, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
  linkDependencies(manifest, { from, to, stage });
  writeJson(join(to, 'tsconfig.json'), {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      target: TARGET,
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: 'src',
      outDir: 'dist',
      types: [],
    },
    include: ['src'],
  });
  run([TSC, '-p', to], to);
  rewriteDeclarations(join(to, 'dist'));
  if (BUNDLED.includes(name)) {
    await bundlePackage({
      dist: join(to, 'dist'),
      entries: Object.values(manifest.exports).map(entryOf),
      protocol: join(stage, 'protocol/dist'),
      zod: join(ROOT, 'packages/protocol/node_modules/zod'),
    });
  }
  writeJson(join(to, 'package.json'), published(manifest));
}

/** The compiler does not change the imports in declarations, but next to them there is JavaScript. */
function rewriteDeclarations(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/(['"]\.\.?\/[^'"\n]+)\.ts(['"])/g, '$1.js$2'));
  }
}

/** The packages that are already packed, as they will be published, and everything else as installed. */
function linkDependencies(
  { dependencies = {} }: Manifest,
  { from, to, stage }: { readonly from: string; readonly to: string; readonly stage: string },
): void {
  mkdirSync(join(to, 'node_modules/@hearth'), { recursive: true });
  for (const name of Object.keys(dependencies)) {
    const own = PACKAGES.find((each) => name === `@hearth/${each}`);
    const target = own === undefined ? join(from, 'node_modules', name) : join(stage, own);
    symlinkSync(target, join(to, 'node_modules', name));
  }
}

function published(manifest: Manifest): object {
  const { name, version, description, license } = manifest;
  const exports = Object.entries(manifest.exports).map(([path, source]) => {
    const built = `./dist/${entryOf(source)}`;
    return [path, { types: `${built}.d.ts`, default: `${built}.js` }];
  });
  const needed = BUNDLED.includes(basename(name)) ? {} : (manifest.dependencies ?? {});
  const dependencies = Object.entries(needed).map(([dependency, wanted]) => {
    const own = PACKAGES.find((each) => dependency === `@hearth/${each}`);
    return [dependency, own === undefined ? wanted : manifestOf(own).version];
  });
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    exports: Object.fromEntries(exports),
    files: ['dist'],
    engines: { node: '>=20' },
    dependencies: Object.fromEntries(dependencies),
  };
}

/** The name of the compiled file without its ending. */
function entryOf(source: string): string {
  return source.replace('./src/', '').replace(/\.ts$/, '');
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'));
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function run(command: readonly string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd });
  if (exitCode === 0) return stdout.toString();
  throw new Error(`${command.join(' ')} failed:\n${stdout.toString()}${stderr.toString()}`);
}
