import { open, stat } from 'node:fs/promises';
import { errorCode, errorMessage } from '../../error-code.ts';
import type { BlobKey, Blobs } from '../../ports/blobs/blobs.ts';

const CHUNK_BYTES = 1024 * 1024;

/** A content that cannot be read as it was written; the text says what is wrong with it. */
export class ContentFaultError extends Error {}

/** How many bytes a content has that is in the store; undefined where it is not there. */
export async function sizeOfContent(blobs: Blobs, key: BlobKey): Promise<number | undefined> {
  try {
    return (await stat(blobs.locate(key))).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The bytes of a content that has `sizeBytes` of them; a chunk may be reused for the next one. Throws ContentFaultError
 * where the content is missing, has another size, or cannot be read.
 */
export async function* readContent(
  blobs: Blobs,
  key: BlobKey,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  await using file = await orFault(open(blobs.locate(key)));
  const { size } = await orFault(file.stat());
  if (size !== sizeBytes) throw new ContentFaultError(`it has ${size} bytes, not ${sizeBytes}`);
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
    const isMissing = errorCode(error) === 'ENOENT';
    throw new ContentFaultError(isMissing ? 'it is missing' : errorMessage(error));
  }
}
