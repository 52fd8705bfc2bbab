import { piecesOf } from './pieces.ts';
import type { ReadPicture } from './pictures.ts';

/** The box that has the size of a picture: a length, this name, a version, a width and a height. */
const NAME = Buffer.from('ispe');
const BOX_BYTES = 16;

/**
 * Pixels of all pictures in an AVIF file: it may have tiles, and a transparency that is larger than the picture. Their
 * sizes are looked for in the whole file, because boxes may be anywhere, and a few bytes too many do no harm.
 */
export async function heifPixels(source: ReadPicture): Promise<number> {
  let pixels = 0;
  for await (const piece of piecesOf(source, BOX_BYTES - 1)) pixels += pixelsIn(piece);
  return pixels;
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
