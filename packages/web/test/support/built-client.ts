import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildWeb } from '../../../../scripts/build-web.ts';

type Files = ReadonlyMap<string, Uint8Array>;

// Test files have modules of their own; one build serves all files of a run.
const KEY = Symbol.for('hearth.test.built-client');

/** Writes the web client, as it is built from what is there now, into a folder. It is built once a run. */
export async function writeBuiltClient(folder: string): Promise<void> {
  for (const [name, bytes] of await builtFiles()) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}

function builtFiles(): Promise<Files> {
  const known: unknown = Reflect.get(globalThis, KEY);
  // Guarantee: nobody else uses this key.
  if (known instanceof Promise) return known as Promise<Files>;
  const made = build();
  Reflect.set(globalThis, KEY, made);
  return made;
}

/** In memory: what a test run leaves behind when it ends, nobody removes. */
async function build(): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-'));
  try {
    await buildWeb(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return new Map(
      await Promise.all(
        paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
