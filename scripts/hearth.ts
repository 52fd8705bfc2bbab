/**
 * Runs Hearth: `bun scripts/hearth.ts <words>`. It runs the bundle, and makes a new one if something has changed. If no
 * bundle can be made, it runs the sources. Every start waits for this script, so it is a single file and imports only
 * modules that Hearth loads too.
 */
import { accessSync, constants, mkdirSync, readFileSync, statSync } from 'node:fs';

/**
 * The runtime and the files that a bundle was made from, including the web client; `build.ts` writes it into
 * `dist/current`.
 */
export interface Stamp {
  /** Version, platform and architecture of the runtime: another runtime cannot load this one's bytecode. */
  readonly runtime: string;
  /** The bundle's main file, relative to the repository's folder. */
  readonly bundle: string;
  readonly inputs: readonly InputState[];
}

/**
 * A file that a bundle depends on, relative to the repository's folder, with its size and modification time. To compare
 * its content would take longer.
 */
export type InputState = readonly [path: string, sizeBytes: number, modifiedAtMs: number];

const RUNTIME = `${Bun.version_with_sha} ${process.platform} ${process.arch}`;

const ROOT = import.meta.dirname.slice(0, -'/scripts'.length);

const bundle = currentBundle() ?? madeBundle();
if (bundle === undefined) await import(`${ROOT}/packages/cli/src/main.ts`);
// An import would start a thread to read the file, and wait for it.
else import.meta.require(bundle);

/** The path of the bundle, or undefined if there is none or something has changed since it was made. */
function currentBundle(): string | undefined {
  try {
    const { runtime, bundle, inputs }: Stamp = JSON.parse(
      readFileSync(`${ROOT}/dist/current`, 'utf8'),
    );
    const path = `${ROOT}/${bundle}`;
    if (runtime !== RUNTIME || !statSync(path).isFile()) return undefined;
    for (const [input, sizeBytes, modifiedAtMs] of inputs) {
      const { size, mtimeMs } = statSync(`${ROOT}/${input}`);
      if (size !== sizeBytes || mtimeMs !== modifiedAtMs) return undefined;
    }
    return path;
  } catch {
    // One of the files does not exist.
    return undefined;
  }
}

/** Makes the missing bundle. Returns undefined if that fails: running the sources then shows clearer errors. */
function madeBundle(): string | undefined {
  if (!isWritable(`${ROOT}/dist`)) return undefined;
  // In a process of its own, or Hearth would keep the memory permanently.
  const command = [process.execPath, `${import.meta.dirname}/build.ts`];
  Bun.spawnSync(command, { stdio: ['ignore', 'ignore', 'ignore'] });
  return currentBundle();
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
