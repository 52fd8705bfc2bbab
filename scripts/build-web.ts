/**
 * Builds the web client into a folder that an instance serves unchanged: `bun scripts/build-web.ts <folder>`. Files in
 * its `assets` are named after their content. Text files have compressed copies next to them.
 */
import type { BunPlugin } from 'bun';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { withoutUnused } from './without-unused.ts';

const ROOT = join(import.meta.dirname, '..');
const WEB = join(ROOT, 'packages/web');
const ENTRY = join(WEB, 'src/main.tsx');
const PAGE = join(WEB, 'src/index.html');
const TOO_OLD = join(WEB, 'src/too-old.js');
const BEFORE_MODULES = join(WEB, 'src/before-modules.ts');
const SERVICE_WORKER = join(WEB, 'src/service-worker.ts');
const PROOF_WORKER = join(WEB, 'src/account/proof/proof-worker.ts');
const PUBLIC = join(WEB, 'public');
const NAMING = 'assets/[name]-[hash].[ext]';

/** The element of the source page that loads the entry. */
const ENTRY_ELEMENT = /[ \t]*<script type="module" src="\.\/main\.tsx"><\/script>\n?/;
/** From where the page's addresses count. The server changes it for places below the first folder. */
const BASE_ELEMENT = '<base href="./" />';
const INFO_ELEMENT = '<script type="application/json" id="instance-info"></script>';

const IS_TEXT = /\.(css|js|json|svg|txt)$/;

/**
 * Copies of rules with `:is()` that the bundler adds for browsers older than the oldest supported ones. Newer ones apply them
 * too, with the weight of a class.
 */
const OLD_COPY = /(?<=[{}]|^)[^{}]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g;

/** A compressed copy that is hardly smaller is not worth the work of decompressing it. */
const WORTH_IT = 0.9;

/** The files of a build, by their addresses relative to the page. */
interface Assets {
  /** The scripts that run before all modules. */
  readonly before: readonly string[];
  readonly script: string;
  readonly style: string | undefined;
  /** Files that the first view needs: the script, its static imports, styles and fonts. */
  readonly first: readonly string[];
  /** Files that are loaded on demand. */
  readonly later: readonly string[];
  /** Files that are loaded on demand, by the part that needs them. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
  /** The sources, relative to the repository's folder. */
  readonly inputs: readonly string[];
}

/** Returns whether there is a web client to build. */
export function hasWeb(): boolean {
  return existsSync(ENTRY);
}

/** Builds the web client into a new folder and returns the paths of its own sources. Throws if the sources have errors. */
export async function buildWeb(folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const before = [
    copyHashed(TOO_OLD, folder),
    await buildAlone(BEFORE_MODULES, folder, { naming: NAMING }),
  ];
  const assets = await buildAssets(folder, before);
  writeFileSync(join(folder, 'index.html'), pageFor(assets));
  if (existsSync(PUBLIC)) cpSync(PUBLIC, folder, { recursive: true });
  const workers = [
    await buildServiceWorker(folder, assets),
    // Pages may run as workers only what is next to the page.
    await buildAlone(PROOF_WORKER, folder, { naming: 'proof.[ext]' }),
  ];
  await Promise.all(filesIn(folder).filter(isCompressible).map(compress));
  return [...assets.inputs, ...workers.flatMap(({ inputs }) => inputs), ...otherInputs()];
}

/** A script that consists of one file. */
interface Alone {
  /** Its address relative to the page, if there is a source. */
  readonly path: string | undefined;
  readonly inputs: readonly string[];
}

/** Builds a source and what it imports as one classic script, if there is that source. */
async function buildAlone(
  source: string,
  folder: string,
  options: { readonly naming: string; readonly define?: Record<string, string> },
): Promise<Alone> {
  if (!existsSync(source)) return { path: undefined, inputs: [] };
  const { outputs, metafile } = await Bun.build({
    entrypoints: [source],
    outdir: folder,
    target: 'browser',
    format: 'iife',
    minify: true,
    metafile: true,
    ...options,
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${source} was not built`);
  return {
    path: relative(folder, resolve(folder, output.path)),
    inputs: ownInputs(Object.keys(metafile?.inputs ?? {})),
  };
}

/** Copies a script as it is, for browsers that would not understand what the bundler makes of it. */
function copyHashed(source: string, folder: string): Alone {
  if (!existsSync(source)) return { path: undefined, inputs: [] };
  const bytes = readFileSync(source);
  const path = `assets/${basename(source, '.js')}-${hashOf(bytes).slice(0, 8)}.js`;
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, path), bytes);
  return { path, inputs: ownInputs([source]) };
}

async function buildAssets(folder: string, alone: readonly Alone[]): Promise<Assets> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [ENTRY],
    root: join(WEB, 'src'),
    outdir: folder,
    naming: { entry: NAMING, chunk: NAMING, asset: NAMING },
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    metafile: true,
    // A build does not read this setting from tsconfig.json.
    jsx: { runtime: 'automatic', importSource: 'preact' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [filesOfStyles(folder), withoutUnused()],
  });
  for (const { path } of outputs.filter((each) => each.path.endsWith('.css'))) {
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(OLD_COPY, ''));
  }
  const addressOf = (path: string) => relative(folder, resolve(folder, path));
  const entry = outputs.find(({ kind }) => kind === 'entry-point');
  if (entry === undefined || metafile === undefined) throw new Error('there is no entry');
  const script = addressOf(entry.path);
  const parts = new Map(
    Object.entries(metafile.outputs).map(([path, part]) => [addressOf(path), part]),
  );
  const style = parts.get(script)?.cssBundle;
  const needsOf = (from: string): Set<string> => {
    const needs = new Set([from]);
    for (const path of needs) {
      for (const { path: imported, kind } of parts.get(path)?.imports ?? []) {
        if (kind === 'import-statement') needs.add(addressOf(imported));
      }
    }
    return needs;
  };
  const atOnce = needsOf(script);
  const all = filesIn(folder).map(addressOf);
  const before = alone.flatMap(({ path }) => path ?? []);
  for (const path of before) atOnce.add(path);
  const isLater = (path: string) => path.endsWith('.js') && !atOnce.has(path);
  return {
    before,
    script,
    style: style === undefined ? undefined : addressOf(style),
    first: all.filter((path) => !isLater(path)),
    later: all.filter(isLater),
    parts: Object.fromEntries(
      Array.from(parts).flatMap(([path, { entryPoint }]) =>
        entryPoint === undefined || !isLater(path)
          ? []
          : [[partName(entryPoint), Array.from(needsOf(path)).filter(isLater)]],
      ),
    ),
    inputs: [...alone.flatMap(({ inputs }) => inputs), ...ownInputs(Object.keys(metafile.inputs))],
  };
}

/** The name of a part: its source in the web client, or the package that it is. */
function partName(entryPoint: string): string {
  const source = relative(join(WEB, 'src'), resolve(entryPoint));
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? source;
}

/** Copies the files that styles refer to. The bundler would inline them, and the page's policy refuses inlined fonts. */
function filesOfStyles(folder: string): BunPlugin {
  return {
    name: 'files of styles',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path, importer }) => {
        if (kind !== 'internal' || !importer.endsWith('.css')) return undefined;
        const file = Bun.resolveSync(path, dirname(importer));
        const bytes = readFileSync(file);
        const name = `${basename(file, extname(file))}-${hashOf(bytes).slice(0, 8)}${extname(file)}`;
        mkdirSync(join(folder, 'assets'), { recursive: true });
        writeFileSync(join(folder, 'assets', name), bytes);
        return { path: `./${name}`, external: true };
      });
    },
  };
}

/** The page, with a place for the instance information. Its addresses are relative, so it can be served under any path. */
function pageFor({ before, script, style, first, parts }: Assets): string {
  const page = readFileSync(PAGE, 'utf8');
  if (!ENTRY_ELEMENT.test(page)) throw new Error(`${PAGE} does not load ./main.tsx`);
  const scripts = first.filter(
    (path) => path.endsWith('.js') && path !== script && !before.includes(path),
  );
  const elements = [
    ...before.map((path) => `<script src="${path}"></script>`),
    ...(style === undefined ? [] : [`<link rel="stylesheet" href="${style}" />`]),
    ...scripts.map((path) => `<link rel="modulepreload" href="${path}" />`),
    INFO_ELEMENT,
    `<script type="application/json" id="parts">${JSON.stringify(parts)}</script>`,
    `<script type="module" src="${script}"></script>`,
  ];
  return page
    .replace(ENTRY_ELEMENT, '')
    .replaceAll(/\b(href|src)="\/(?!\/)/g, '$1="')
    .replace('<head>', () => `<head>\n    ${BASE_ELEMENT}`)
    .replace('</head>', () => `  ${elements.join('\n    ')}\n  </head>`);
}

/** Builds the service worker. The constant `WEB_BUILD` in its sources is replaced with the list of files. */
function buildServiceWorker(folder: string, { first, later }: Assets): Promise<Alone> {
  const content = filesIn(folder).map(
    (path) => `${relative(folder, path)} ${hashOf(readFileSync(path))}`,
  );
  const version = hashOf(content.join('\n')).slice(0, 16);
  const define = { WEB_BUILD: JSON.stringify({ version, first, later }) };
  return buildAlone(SERVICE_WORKER, folder, { naming: 'sw.[ext]', define });
}

function isCompressible(path: string): boolean {
  return IS_TEXT.test(path);
}

async function compress(path: string): Promise<void> {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  const copies = [
    ['.br', await promisify(brotliCompress)(bytes, { params })],
    ['.gz', await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })],
  ] as const;
  for (const [ending, copy] of copies) {
    if (copy.byteLength < bytes.byteLength * WORTH_IT) writeFileSync(path + ending, copy);
  }
}

/** Files that no bundle refers to, and the folders, which change if a file is added or removed. */
function otherInputs(): readonly string[] {
  const folders = existsSync(PUBLIC) ? [PUBLIC, ...entriesIn(PUBLIC)] : [];
  const settings = [
    join(WEB, 'package.json'),
    join(WEB, 'tsconfig.json'),
    join(ROOT, 'tsconfig.json'),
  ];
  return ownInputs([PAGE, ...settings.filter(existsSync), ...folders]);
}

function ownInputs(paths: readonly string[]): readonly string[] {
  return paths
    .map((path) => relative(ROOT, resolve(path)))
    .filter((path) => !path.split('/').includes('node_modules'));
}

function entriesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return names.map((name) => join(folder, name));
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}

function hashOf(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex');
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: bun scripts/build-web.ts <folder>');
  await buildWeb(resolve(folder));
}
