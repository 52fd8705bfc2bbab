import { promises } from 'node:fs';
import type { Piece } from './plan.ts';

const CHUNK_BYTES = 64 * 1024;

/** The bytes of the pieces, some of which are in the file at `path`. A chunk may be reused for the next one. */
export async function* readPieces(
  path: string,
  pieces: readonly Piece[],
): AsyncGenerator<Uint8Array> {
  await using file = await promises.open(path, 'r');
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (const piece of pieces) {
    if ('bytes' in piece) {
      yield piece.bytes;
    } else if ('zeros' in piece) {
      buffer.fill(0);
      for (let left = piece.zeros; left > 0; left -= CHUNK_BYTES) {
        yield buffer.subarray(0, Math.min(left, CHUNK_BYTES));
      }
    } else {
      for (let at = piece.from; at < piece.to;) {
        const wanted = Math.min(CHUNK_BYTES, piece.to - at);
        const { bytesRead } = await file.read(buffer, 0, wanted, at);
        if (bytesRead === 0) throw new Error('the content became shorter');
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
      }
    }
  }
}
