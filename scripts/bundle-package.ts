import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A compiled package that gets its dependencies built in. */
export interface BundledPackage {
  /** Its JavaScript and its declarations, which are replaced. */
  readonly dist: string;
  /** The names of its entry points in `dist`, without an ending. */
  readonly entries: readonly string[];
  /** The compiled protocol. */
  readonly protocol: string;
  /** The folder of the installed package `zod`. */
  readonly zod: string;
}

/** An import or export of another module, in declarations. */
const SPECIFIER = /(?<=\bfrom |\bimport\()(['"])([^'"\n]+)\1/g;

/**
 * Builds the protocol and zod into a compiled package. Of zod, only the code that is used remains, which is a tenth of the
 * installed package. Its declarations are copied, because the protocol's types are inferred from its schemas.
 */
export async function bundlePackage(bundled: BundledPackage): Promise<void> {
  const { dist, entries, protocol, zod } = bundled;
  const { outputs } = await Bun.build({
    entrypoints: entries.map((entry) => join(dist, `${entry}.js`)),
    target: 'browser',
    splitting: true,
  });
  const scripts = await Promise.all(
    outputs.map(async (output) => ({ path: output.path, text: await output.text() })),
  );
  for (const file of filesIn(dist, '.js')) rmSync(join(dist, file));
  for (const { path, text } of scripts) writeFileSync(join(dist, path), text);
  cpSync(protocol, join(dist, 'protocol'), {
    recursive: true,
    filter: (path) => !path.endsWith('.js'),
  });
  copyDeclarations(zod, join(dist, 'zod'));
  copyFileSync(join(zod, 'LICENSE'), join(dist, 'zod/LICENSE'));
  for (const file of filesIn(dist, '.d.ts')) pointInside(dist, file);
}

/** Copies the declarations that `index.d.ts` needs. */
function copyDeclarations(from: string, to: string): void {
  const wanted = ['index.d.ts'];
  // The list grows while it is read.
  for (const file of wanted) {
    const text = readFileSync(join(from, file), 'utf8');
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), text);
    for (const [, , specifier = ''] of text.matchAll(SPECIFIER)) {
      if (!specifier.startsWith('.')) throw new Error(`${file} of zod imports ${specifier}`);
      const path = resolve('/', dirname(file), specifier).slice(1).replace(/\.js$/, '.d.ts');
      if (!wanted.includes(path)) wanted.push(path);
    }
  }
}

/** Lets the declarations of `file` import the protocol and zod from the same folder. */
function pointInside(dist: string, file: string): void {
  const path = join(dist, file);
  const text = readFileSync(path, 'utf8');
  const pointed = text.replaceAll(SPECIFIER, (whole, quote: string, specifier: string) => {
    const target = insideOf(specifier);
    if (target === undefined) return whole;
    const from = relative(dirname(file), target);
    return `${quote}${from.startsWith('.') ? from : `./${from}`}${quote}`;
  });
  writeFileSync(path, pointed);
}

function insideOf(specifier: string): string | undefined {
  if (specifier === 'zod') return 'zod/index.js';
  const [, entry] = /^@hearth\/protocol(?:\/(.+))?$/.exec(specifier) ?? [];
  if (specifier.startsWith('@hearth/protocol')) return `protocol/${entry ?? 'index'}.js`;
  if (!specifier.startsWith('.')) throw new Error(`Nothing is built in for ${specifier}`);
  return undefined;
}

function filesIn(folder: string, ending: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending));
}
