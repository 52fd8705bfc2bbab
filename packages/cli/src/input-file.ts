import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OwnerError } from './owner-error.ts';

/** A file that the owner named, open for reading. */
export interface InputFile extends AsyncDisposable {
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ELOOP: 'its links go in a circle',
  ENAMETOOLONG: 'its name is too long',
};

/** Opens the file at `path`, which begins at `workingDir` when it is relative. Throws OwnerError. */
export async function openInputFile(path: string, workingDir: string): Promise<InputFile> {
  const absolute = resolve(workingDir, path);
  const refuse = (reason: string) => new OwnerError(`cannot read ${absolute}: ${reason}`);
  try {
    // Before it is opened: opening a pipe would wait for its writer.
    const facts = await stat(absolute);
    if (facts.isDirectory()) throw refuse('it is a folder');
    if (!facts.isFile()) throw refuse('it is not a regular file');
    const file = await open(absolute);
    return {
      sizeBytes: facts.size,
      content: file.createReadStream({ autoClose: false }),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error ? REASONS[String(error.code)] : undefined;
    throw reason === undefined ? error : refuse(reason);
  }
}
