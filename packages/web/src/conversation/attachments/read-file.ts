import type { DownloadedFile } from '@hearth/sdk';
import type { LoadContext } from './watched-loads.ts';

/** Larger pictures are loaded only on request. */
const MOST_PICTURE_BYTES = 24 * 2 ** 20;

/** Types that browsers show as a picture and never run. Other files are not pictures, whatever they claim. */
const PICTURE_TYPES =
  /^image\/(?:png|apng|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/;

/** Returns whether browsers show content of this type as a picture, and never run it. */
export function isPictureType(type: string): boolean {
  return PICTURE_TYPES.test(type);
}

/** A picture is too large to be loaded without a request. */
export class LargePictureError extends Error {
  override readonly name = 'LargePictureError';
  readonly sizeBytes: number;

  constructor(sizeBytes: number) {
    super(`the picture has ${sizeBytes} bytes`);
    this.sizeBytes = sizeBytes;
  }
}

/** Reads a picture and reports progress; throws a {@link LargePictureError} instead if it is too large. */
export async function readPicture(
  file: DownloadedFile,
  context: LoadContext,
  isLargeWanted: boolean,
): Promise<Blob> {
  const { sizeBytes, body } = file;
  if (!isLargeWanted && sizeBytes !== undefined && sizeBytes > MOST_PICTURE_BYTES) {
    await body.cancel();
    throw new LargePictureError(sizeBytes);
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let receivedBytes = 0;
  for await (const chunk of chunksOf(body)) {
    chunks.push(chunk);
    receivedBytes += chunk.byteLength;
    context.progress(receivedBytes, sizeBytes);
  }
  const type = file.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return new Blob(chunks, { type: PICTURE_TYPES.test(type) ? type : 'application/octet-stream' });
}

/** An address for a picture in memory. */
export function objectUrlOf(blob: Blob): {
  readonly objectUrl: string;
  readonly sizeBytes: number;
} {
  return { objectUrl: URL.createObjectURL(blob), sizeBytes: blob.size };
}

/** The first `most` bytes of a text file as text. A server without range requests sends more, which is not read. */
export async function readText(
  file: DownloadedFile,
  most: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let left = most;
  let isWhole = true;
  for await (const chunk of chunksOf(file.body)) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    isWhole = chunk.byteLength <= left;
    left -= chunk.byteLength;
    if (!isWhole) break;
  }
  // A character that was cut in half is left out.
  if (isWhole) text += decoder.decode();
  return { text, isWhole };
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncIterableIterator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
