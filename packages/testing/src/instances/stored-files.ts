import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What lies in the blobs folder of an instance. */
export interface StoredFiles {
  /** Keys of the kept contents. */
  readonly contents: readonly string[];
  /** Names of what is being written, or was left behind. */
  readonly incoming: readonly string[];
}

/** Looks into the data of the instance in `folder`. */
export async function storedFiles(folder: string): Promise<StoredFiles> {
  const blobs = join(folder, 'data', 'blobs');
  const entries = await readdir(blobs, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const isIncoming = (parent: string) => parent === join(blobs, 'incoming');
  return {
    contents: files
      .filter(({ parentPath }) => !isIncoming(parentPath))
      .map(({ name }) => name)
      .toSorted(),
    incoming: files.filter(({ parentPath }) => isIncoming(parentPath)).map(({ name }) => name),
  };
}
