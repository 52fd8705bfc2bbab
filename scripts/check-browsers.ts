/**
 * Reports everything that the web client uses and one of the oldest supported browsers lacks (docs/browsers.md), in a build
 * and in its sources: `bun scripts/check-browsers.ts [folder]`; the folder is that of the latest build by default. Ends with
 * exit code 1 if there is anything.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ALLOWED } from './browsers/allowed.ts';
import { lackingInScripts } from './browsers/bundle.ts';
import type { Lacking } from './browsers/oldest.ts';
import { lackingInSources } from './browsers/sources.ts';
import { lackingInStyles } from './browsers/styles.ts';

const ROOT = join(import.meta.dirname, '..');
const PROJECT = join(ROOT, 'packages/web/tsconfig.browsers.json');
const CHECKED = /\/packages\/(?:web|sdk|protocol|markdown)\/src\//;

/** Finds in the web client what an oldest supported browser lacks, whether it is allowed or not. */
export async function lackingIn(folder: string): Promise<readonly Lacking[]> {
  return [
    ...lackingInScripts(textsIn(folder, '.js')),
    ...[...textsIn(folder, '.css')].flatMap(([path, text]) => lackingInStyles(path, text)),
    ...(await lackingInSources(PROJECT, (path) => CHECKED.test(path))),
  ];
}

/** Leaves out what is allowed. */
export function refusedOf(lacking: readonly Lacking[]): readonly Lacking[] {
  return lacking.filter(({ feature }) => !Object.hasOwn(ALLOWED, allowedName(feature)));
}

/** The name by which a feature may be allowed: its own, or that of all values of its property. */
export function allowedName(feature: string): string {
  const values = feature.replace(/: .*$/, ': *');
  return Object.hasOwn(ALLOWED, values) ? values : feature;
}

function textsIn(folder: string, ending: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return new Map(
    names
      .filter((name) => name.endsWith(ending))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

function latestBuild(): string {
  const { bundle }: { readonly bundle: string } = JSON.parse(
    readFileSync(join(ROOT, 'dist/current'), 'utf8'),
  );
  return join(ROOT, dirname(bundle), 'web');
}

if (import.meta.main) {
  const refused = refusedOf(await lackingIn(process.argv[2] ?? latestBuild()));
  for (const { feature, lackedBy, where } of refused) {
    process.stderr.write(`${where}\n  ${feature} is not in ${lackedBy.join(', ')}\n`);
  }
  if (refused.length > 0) process.exitCode = 1;
}
