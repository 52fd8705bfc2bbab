import { promises } from 'node:fs';
import type { ReadPicture } from './pictures.ts';

const PIECE_BYTES = 1024 * 1024;

/** The box that has the size of a picture: a length, this name, a version, a width and a height. */
const NAME = Buffer.from('ispe');
const BOX_BYTES = 16;

/**
 * Pixels of all pictures in an AVIF file: it may have tiles, and a transparency that is larger than the picture. Their
 * sizes are looked for in the whole file, because boxes may be anywhere, and a few bytes too many do no harm.
 */
export async function heifPixels(source: ReadPicture): Promise<number> {
  if (typeof source !== 'string')
    return pixelsIn(Buffer.from(source.buffer, source.byteOffset, source.byteLength));
  await using file = await promises.open(source, 'r');
  const piece = Buffer.alloc(PIECE_BYTES);
  let pixels = 0;
  for (let at = 0; ; at += PIECE_BYTES - BOX_BYTES + 1) {
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at);
    pixels += pixelsIn(piece.subarray(0, bytesRead));
    if (bytesRead < PIECE_BYTES) return pixels;
  }
}

/** Pixels of the boxes that are whole in these bytes. */
function pixelsIn(bytes: Buffer): number {
  let pixels = 0;
  for (let at = bytes.indexOf(NAME); at !== -1; at = bytes.indexOf(NAME, at + 1)) {
    if (at + BOX_BYTES > bytes.length) break;
    pixels += bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12);
  }
  return pixels;
}
