import { lstatSync, readFileSync, statSync, type Stats } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { errorCode } from '../lib/error-code.ts';
import { INSTANCE_OPTIONS, type InstanceSettings } from './instance-options.ts';
import { readOptions, type Mistake } from './read-options.ts';
import { tomlMistake } from './toml-mistake.ts';
import { failureReason, formatPath, quote } from './wording.ts';

/** The settings of an instance file, or one line for every mistake. */
export type InstanceFileText =
  | { readonly state: 'read'; readonly settings: InstanceSettings }
  | { readonly state: 'mistaken'; readonly mistakes: readonly string[] };

/** The result of reading the path of an instance file. */
export type InstanceFile = InstanceFileText | { readonly state: 'missing' };

const LARGEST_FILE_BYTES = 1024 ** 2;

/**
 * Reads the instance file at the absolute path `path`. Mistakes in the file begin with `shownAs`, and those of the path
 * itself with `pathShownAs`. A file that cannot be read is a mistake; if there is nothing at the path, the state is
 * `missing`.
 */
export function readInstanceFile(
  path: string,
  shownAs: string,
  pathShownAs = shownAs,
): InstanceFile {
  let bytes: Uint8Array;
  try {
    const refusal = refusalOf(statSync(path));
    if (refusal !== undefined) return mistaken(pathShownAs, refusal);
    bytes = readFileSync(path);
  } catch (error) {
    if (!isNotFound(error)) return mistaken(pathShownAs, `cannot be read: ${failureReason(error)}`);
    // A dangling link does not count as a missing file, because somebody created it on purpose.
    return isLink(path)
      ? mistaken(pathShownAs, 'cannot be read: it is a link to a file that does not exist')
      : { state: 'missing' };
  }
  const text = decode(bytes);
  if (text === undefined) return mistaken(shownAs, 'expected text in UTF-8, got other bytes');
  return parseInstanceFile(text, shownAs);
}

/** Parses the text of an instance file. Mistakes begin with the path `shownAs`. */
export function parseInstanceFile(text: string, shownAs: string): InstanceFileText {
  const table = parseToml(text);
  if (table instanceof TomlError) {
    const { line, column, problem } = tomlMistake(text, table);
    return mistaken(`${shownAs}:${line}:${column}`, `this is not TOML: ${problem}`);
  }
  const { value, mistakes: ofOptions } = readOptions(INSTANCE_OPTIONS, table);
  const mistakes = [...ofOptions, ...overlappingPaths(value)];
  if (mistakes.length === 0) return { state: 'read', settings: value };
  return {
    state: 'mistaken',
    mistakes: mistakes.map(({ path, problem }) => `${shownAs}: ${formatPath(path)}: ${problem}`),
  };
}

function refusalOf(stats: Stats): string | undefined {
  if (stats.isDirectory()) return 'expected a file, got a directory';
  // Reading a pipe or a device may never end.
  if (!stats.isFile()) return 'expected a file, got a device or a pipe';
  if (stats.size <= LARGEST_FILE_BYTES) return undefined;
  return `expected at most ${LARGEST_FILE_BYTES} bytes, got ${stats.size}`;
}

function parseToml(text: string): Readonly<Record<string, unknown>> | TomlError {
  try {
    // Numbers too large to be exact become bigints, so that only their key is invalid and not the whole document.
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function isNotFound(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

function mistaken(where: string, problem: string): InstanceFileText {
  return { state: 'mistaken', mistakes: [`${where}: ${problem}`] };
}

/** One mistake for each path of a component that is also, or is below, the path of an earlier one, or above it. */
function overlappingPaths({ web }: Pick<InstanceSettings, 'web'>): readonly Mistake[] {
  const paths = [
    ['api_path', web.restPath],
    ['gateway_path', web.gatewayPath],
    ['files_path', web.filesPath],
  ] as const;
  return paths.flatMap(([key, path], index) => {
    const other = paths.slice(0, index).find(([, earlier]) => overlap(path, earlier));
    if (other === undefined) return [];
    const problem = `expected a path that is not in ${other[0]} and does not contain it, got ${quote(path)}`;
    return [{ path: ['web', key], problem }];
  });
}

function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
