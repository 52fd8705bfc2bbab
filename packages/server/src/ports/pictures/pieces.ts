import { promises } from 'node:fs';
import type { ReadPicture } from './pictures.ts';

const PIECE_BYTES = 1024 * 1024;

/**
 * The bytes of a picture, from a file piece by piece. Each piece begins with the last `overlap` bytes of the one before, so
 * that what has one byte more is whole in exactly one of them. A piece is valid until the next one is asked for.
 */
export async function* piecesOf(source: ReadPicture, overlap: number): AsyncGenerator<Buffer> {
  if (typeof source !== 'string') {
    yield Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    return;
  }
  await using file = await promises.open(source, 'r');
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let at = 0; ; at += PIECE_BYTES - overlap) {
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at);
    yield piece.subarray(0, bytesRead);
    if (bytesRead < PIECE_BYTES) return;
  }
}
