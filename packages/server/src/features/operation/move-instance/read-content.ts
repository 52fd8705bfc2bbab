import { open, stat } from 'node:fs/promises';
import { errorCode, errorMessage } from '../../../lib/error-code.ts';
import type { BlobKey, Blobs } from '../../../ports/blobs/blobs.ts';

const CHUNK_BYTES = 1024 * 1024;

/** A content that cannot be read as it was written; the text says what is wrong with it. */
export class ContentFaultError extends Error {}

/** Returns how many bytes of a content the store has; undefined if it is not there. */
export async function sizeOfContent(blobs: Blobs, key: BlobKey): Promise<number | undefined> {
  const place = blobs.locate(key);
  if (place.at === 'remote') return place.size();
  try {
    return (await stat(place.path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The bytes of a content that has `sizeBytes` of them; a chunk may be reused for the next one. Throws
 * ContentFaultError if the content is missing, has another size, or cannot be read from the disk.
 */
export async function* readContent(
  blobs: Blobs,
  key: BlobKey,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  const size = await orFault(sizeOfContent(blobs, key));
  if (size === undefined) throw new ContentFaultError('it is missing');
  if (size !== sizeBytes) throw new ContentFaultError(`it has ${size} bytes, not ${sizeBytes}`);
  const place = blobs.locate(key);
  if (place.at === 'remote') yield* place.read({ start: 0, end: size });
  else yield* readFile(place.path, size);
}

async function* readFile(path: string, sizeBytes: number): AsyncGenerator<Uint8Array> {
  await using file = await orFault(open(path));
  const buffer = new Uint8Array(Math.max(1, Math.min(CHUNK_BYTES, sizeBytes)));
  for (;;) {
    const { bytesRead } = await orFault(file.read(buffer));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function orFault<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    throw new ContentFaultError(errorMessage(error));
  }
}
