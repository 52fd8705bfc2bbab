/**
 * Runs Hearth: `bun scripts/hearth.ts <words>`. What runs is the bundle, which is made anew when something has changed;
 * where none can be made, the sources. Every start waits for this file, so it is one, and loads what Hearth loads too.
 */
import { accessSync, constants, mkdirSync, readFileSync, statSync } from 'node:fs';

/** What a bundle is made by and of, the web client included; `build.ts` writes it into `dist/current`. */
export interface Stamp {
  /** Version, platform and architecture of the runtime: another does not know this one's bytecode. */
  readonly runtime: string;
  /** The bundle's main file, below the repository's folder. */
  readonly bundle: string;
  readonly inputs: readonly InputState[];
}

/**
 * A file that a bundle depends on, below the repository's folder, and what changes when it is written to: its size and
 * the time. Its bytes would take longer to look at.
 */
export type InputState = readonly [path: string, sizeBytes: number, modifiedAtMs: number];

const RUNTIME = `${Bun.version_with_sha} ${process.platform} ${process.arch}`;

const ROOT = import.meta.dirname.slice(0, -'/scripts'.length);

const bundle = currentBundle() ?? madeBundle();
if (bundle === undefined) await import(`${ROOT}/packages/cli/src/main.ts`);
// An import would have a thread made to read the file, and wait for it.
else import.meta.require(bundle);

/** The path of the bundle, or undefined where there is none or something has changed since. */
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
    // One of them is not there.
    return undefined;
  }
}

/** The bundle that was missing, or undefined where it cannot be made: the sources say better than it what is wrong. */
function madeBundle(): string | undefined {
  if (!isWritable(`${ROOT}/dist`)) return undefined;
  // In a process of its own, or its memory would be Hearth's for good.
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
