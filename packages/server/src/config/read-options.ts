import { editsBetween, nearest } from './nearest.ts';
import type { OptionNode, OptionTree, OptionValues } from './option.ts';
import { describe, formatPath } from './wording.ts';

/** One thing that is wrong in what an owner wrote. */
export interface Mistake {
  /** The keys that lead to it, as the owner spelled them. */
  readonly path: readonly string[];
  readonly problem: string;
}

interface Read<T> {
  readonly value: T;
  readonly mistakes: readonly Mistake[];
}

const CLOSE_ENOUGH = 2;

/**
 * Reads `raw` according to `tree`. Options that are missing or invalid have their fallbacks. All mistakes are listed in
 * the order of `raw`; missing required options follow after the others of their section.
 */
export function readOptions<Tree extends OptionTree>(
  tree: Tree,
  raw: Readonly<Record<string, unknown>>,
): Read<OptionValues<Tree>> {
  const { value, mistakes } = readTable(tree, raw, { tree, path: [] });
  return { value: typed<Tree>(value), mistakes };
}

interface Place {
  /** The whole tree, in which the right place of a misplaced key is found. */
  readonly tree: OptionTree;
  readonly path: readonly string[];
}

function readTable(
  options: OptionTree,
  raw: Readonly<Record<string, unknown>>,
  place: Place,
): Read<Record<string, unknown>> {
  const value = fallbacks(options);
  const mistakes: Mistake[] = [];
  const spellings = new Map<string, string>();
  for (const [key, rawValue] of Object.entries(raw)) {
    const path = [...place.path, key];
    const name = nameOf(options, key);
    const node = name === undefined ? undefined : options[name];
    if (name === undefined || node === undefined) {
      mistakes.push({ path, problem: unknownKey(options, key, place) });
      continue;
    }
    const earlier = spellings.get(name);
    if (earlier !== undefined) mistakes.push({ path, problem: sameKey([...place.path, earlier]) });
    spellings.set(name, key);
    const read = readNode(node, rawValue, { tree: place.tree, path });
    value[node.as ?? name] = read.value;
    mistakes.push(...read.mistakes);
  }
  return { value, mistakes: [...mistakes, ...missingOptions(options, spellings, place)] };
}

function missingOptions(
  options: OptionTree,
  found: ReadonlyMap<string, string>,
  { path }: Place,
): readonly Mistake[] {
  return Object.entries(options).flatMap(([name, node]) =>
    node.kind === 'option' && node.isRequired && !found.has(name)
      ? [{ path: [...path, name], problem: `expected ${node.type.expected}, got nothing` }]
      : [],
  );
}

function readNode(node: OptionNode, raw: unknown, place: Place): Read<unknown> {
  if (node.kind === 'section') {
    if (isTable(raw)) return readTable(node.options, raw, place);
    const problem = `expected a section, got ${describe(raw)}`;
    return { value: fallbacks(node.options), mistakes: [{ path: place.path, problem }] };
  }
  const reading = node.type.read(raw);
  if ('value' in reading) return { value: reading.value, mistakes: [] };
  const problem = `expected ${node.type.expected}, got ${reading.got}`;
  return { value: node.fallback, mistakes: [{ path: place.path, problem }] };
}

function fallbacks(options: OptionTree): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, node]) => [
      node.as ?? name,
      node.kind === 'section' ? fallbacks(node.options) : node.fallback,
    ]),
  );
}

function nameOf(options: OptionTree, key: string): string | undefined {
  if (Object.hasOwn(options, key)) return key;
  const entry = Object.entries(options).find(
    ([, node]) => node.kind === 'section' && node.otherSpellings.includes(key),
  );
  return entry?.[0];
}

function sameKey(earlier: readonly string[]): string {
  return `expected one spelling of this key, got ${formatPath(earlier)} as well`;
}

function unknownKey(options: OptionTree, key: string, place: Place): string {
  const near = nearest(key, Object.keys(options));
  if (near === undefined) return 'unknown key';
  const nearPath = formatPath([...place.path, near]);
  if (editsBetween(key, near) <= CLOSE_ENOUGH) return didYouMean(nearPath);
  // If a key of this exact name exists elsewhere, it was put under the wrong section header.
  const elsewhere = allPaths(place.tree).filter((path) => path.at(-1) === key);
  return didYouMean(
    nearest(formatPath([...place.path, key]), elsewhere.map(formatPath)) ?? nearPath,
  );
}

function didYouMean(path: string): string {
  return `unknown key, did you mean ${path}?`;
}

function allPaths(options: OptionTree): readonly (readonly string[])[] {
  return Object.entries(options).flatMap(([name, node]) => {
    const inner = node.kind === 'section' ? allPaths(node.options) : [];
    return [[name], ...inner.map((path) => [name, ...path])];
  });
}

function isTable(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof Date);
}

// Guarantee: readTable sets a value for every key of the tree, by its name, from that option's own reader or its
// fallback.
function typed<Tree extends OptionTree>(value: Record<string, unknown>): OptionValues<Tree> {
  return value as OptionValues<Tree>;
}
