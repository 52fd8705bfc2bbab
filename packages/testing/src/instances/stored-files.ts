import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The files in the blobs folder of an instance. */
export interface StoredFiles {
  /** The keys of the stored contents. */
  readonly contents: readonly string[];
  /** The names of files that are being written, or were left behind. */
  readonly incoming: readonly string[];
}

/** Lists the files of the instance in `folder`. */
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
