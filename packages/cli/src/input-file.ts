import { failureReason } from '@hearth/server';
import { promises } from 'node:fs';
import { resolve } from 'node:path';
import { blamingOwner, OwnerError } from './owner-error.ts';

/** A file that the owner named, open for reading. */
export interface InputFile extends AsyncDisposable {
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Opens the file at `path`, which begins at `workingDir` when it is relative. Throws OwnerError. */
export async function openInputFile(path: string, workingDir: string): Promise<InputFile> {
  const absolute = resolve(workingDir, path);
  const refusal = (reason: string) => `cannot read ${absolute}: ${reason}`;
  const reading = <Result>(work: Promise<Result>) =>
    blamingOwner(work, Error, (error) => refusal(failureReason(error)));
  // Before it is opened: opening a pipe would wait for its writer.
  const facts = await reading(promises.stat(absolute));
  if (facts.isDirectory()) throw new OwnerError(refusal('it is a folder'));
  if (!facts.isFile()) throw new OwnerError(refusal('it is not a regular file'));
  const file = await reading(promises.open(absolute));
  return {
    sizeBytes: facts.size,
    content: file.createReadStream({ autoClose: false }),
    [Symbol.asyncDispose]: () => file.close(),
  };
}
