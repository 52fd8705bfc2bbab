import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface IgnoreRule {
  readonly isException: boolean;
  readonly glob: Bun.Glob;
  readonly pattern: string;
}

/** The paths of the files below `folder` in the build context. The last rule of .dockerignore that matches decides. */
export function buildContext(folder: string): readonly string[] {
  return filesBelow({ folder, rules: readRules(join(folder, '.dockerignore')) }, '');
}

/** Copies the files of the build context. */
export function copyContext(folder: string, to: string): void {
  for (const path of buildContext(folder)) cpSync(join(folder, path), join(to, path));
}

function readRules(path: string): readonly IgnoreRule[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = line.replace(/^!/, '').replace(/^\//, '');
      return { isException: line.startsWith('!'), glob: new Bun.Glob(pattern), pattern };
    });
}

function filesBelow(
  context: { folder: string; rules: readonly IgnoreRule[] },
  below: string,
): readonly string[] {
  const { folder, rules } = context;
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (!entry.isDirectory()) return isIgnored(path, rules) ? [] : [path];
    // An exception may be deeper in the folder.
    const isLookedInto = rules.some(
      (rule) => rule.isException && rule.pattern.startsWith(`${path}/`),
    );
    return isIgnored(path, rules) && !isLookedInto ? [] : filesBelow(context, path);
  });
}

/** A rule matches a path and everything below it. */
function isIgnored(path: string, rules: readonly IgnoreRule[]): boolean {
  const parts = path.split('/');
  const places = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  const last = rules.findLast(({ glob }) => places.some((place) => glob.match(place)));
  return last !== undefined && !last.isException;
}
