import { failureReason } from '@hearth/server';
import { openAsBlob, promises } from 'node:fs';
import { resolve } from 'node:path';
import { blamingOwner, OwnerError } from './owner-error.ts';

/** A file that the owner named, open for reading. */
export interface InputFile extends AsyncDisposable {
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Opens the file at `path`, which is relative to `workingDir` unless it is absolute. Throws OwnerError. */
export async function openInputFile(path: string, workingDir: string): Promise<InputFile> {
  const { absolute, sizeBytes } = await readableFile(path, workingDir);
  const file = await reading(absolute, promises.open(absolute));
  return {
    sizeBytes,
    content: file.createReadStream({ autoClose: false }),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Opens the file at `path` as a Blob, whose content is read from the disk only when it is used. Throws OwnerError. */
export async function openInputBlob(path: string, workingDir: string): Promise<Blob> {
  const { absolute } = await readableFile(path, workingDir);
  await reading(absolute, promises.access(absolute, promises.constants.R_OK));
  return reading(absolute, openAsBlob(absolute));
}

async function readableFile(
  path: string,
  workingDir: string,
): Promise<{ readonly absolute: string; readonly sizeBytes: number }> {
  const absolute = resolve(workingDir, path);
  // This is checked before the file is opened, because opening a pipe would wait for its writer.
  const facts = await reading(absolute, promises.stat(absolute));
  if (facts.isDirectory()) throw new OwnerError(refusal(absolute, 'it is a folder'));
  if (!facts.isFile()) throw new OwnerError(refusal(absolute, 'it is not a regular file'));
  return { absolute, sizeBytes: facts.size };
}

function reading<Result>(absolute: string, work: Promise<Result>): Promise<Result> {
  return blamingOwner(work, Error, (error) => refusal(absolute, failureReason(error)));
}

function refusal(absolute: string, reason: string): string {
  return `cannot read ${absolute}: ${reason}`;
}
