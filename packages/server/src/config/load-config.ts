import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { Config } from './config.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { exampleInstanceFile, type FirstSettings } from './example-files.ts';
import { type InstanceFileText, parseInstanceFile, readInstanceFile } from './instance-file.ts';
import { unknownVariables } from './unknown-variables.ts';
import { quote } from './wording.ts';

/** The configuration is invalid. Every mistake is one line that names its variable, or its file and key. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

/** The environment and the folder from which the configuration comes. */
export interface ConfigSource {
  readonly env: Environment;
  /** Absolute path of the directory that relative paths start at. */
  readonly workingDir: string;
  /** True to write a commented instance file if INSTANCE_CONF is not set and there is none. */
  readonly writeMissingFile: boolean;
  /** Asks the owner for the first settings, before a missing instance file is written; undefined for the defaults. */
  readonly chooseFirst?: () => Promise<Partial<FirstSettings> | undefined>;
  /** Called with one line for each variable that is probably a mistake but does not stop the start. */
  readonly onWarning?: (line: string) => void;
}

/** Returns the configuration, and whether an instance file was written. Throws ConfigError with all mistakes. */
export async function loadConfig(
  input: ConfigSource,
): Promise<{ config: Config; wroteInstanceFile: boolean }> {
  const { env, workingDir, onWarning } = input;
  const { deployment, instanceFileShownAs, mistakes, warnings } = readEnvironment(env, workingDir);
  if (onWarning !== undefined) {
    [...unknownVariables(env), ...warnings].forEach(onWarning);
  }
  const { instanceFile, instanceFileGiven } = deployment;
  const found = readInstanceFile(
    instanceFile,
    instanceFileShownAs,
    instanceFileGiven ? `INSTANCE_CONF: ${instanceFileShownAs}` : instanceFileShownAs,
  );
  const isNew = found.state === 'missing' && !instanceFileGiven && input.writeMissingFile;
  const chosen = isNew && mistakes.length === 0 ? await input.chooseFirst?.() : undefined;
  const text = exampleInstanceFile(chosen);
  const file =
    found.state === 'missing'
      ? inPlaceOfMissing(instanceFileGiven, { text, shownAs: instanceFileShownAs })
      : found;
  if (file.state === 'mistaken') throw new ConfigError([...mistakes, ...file.mistakes]);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const wroteInstanceFile = isNew && writeNew(instanceFile, text);
  return { config: { settings: file.settings, deployment }, wroteInstanceFile };
}

function inPlaceOfMissing(
  given: boolean,
  { text, shownAs }: { readonly text: string; readonly shownAs: string },
): InstanceFileText {
  if (!given) return parseInstanceFile(text, shownAs);
  const problem = `expected the path of an instance file, got ${quote(shownAs)}, which does not exist`;
  return { state: 'mistaken', mistakes: [`INSTANCE_CONF: ${problem}`] };
}

// An instance also runs without the file, so a read-only folder is not a mistake.
function writeNew(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx');
    try {
      writeFileSync(file, text);
    } catch {
      // If the disk is full, half a file would be invalid at the next start.
      rmSync(path);
      return false;
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    return false;
  }
}
