import { promises } from 'node:fs';
import { DamagedContent } from '../file-window.ts';

/** A part of a new content: bytes of the old one from `from` to before `to`, other bytes, or zeros. */
export type Piece =
  | { readonly from: number; readonly to: number }
  | { readonly bytes: Uint8Array }
  | { readonly zeros: number };

/** The replacement of bytes: others, or as many zeros as there were bytes. */
export type Replacement = Uint8Array | 'zeros';

/** Other bytes for a part of a file. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly replacement: Replacement;
}

/** Parts of a plan. A content that needs more is hostile. */
export const MOST_PARTS = 65_536;

/** The way in which a content is made from another one, described from its beginning to its end. */
export class Plan {
  readonly #pieces: Piece[] = [];
  #at = 0;

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /** Keeps everything up to `end`. */
  keepTo(end: number): void {
    if (end <= this.#at) return;
    const last = this.#pieces.at(-1);
    if (last !== undefined && 'from' in last && last.to === this.#at) {
      this.#pieces[this.#pieces.length - 1] = { from: last.from, to: end };
    } else {
      this.#add({ from: this.#at, to: end });
    }
    this.#at = end;
  }

  /** Leaves out everything up to `end`. */
  dropTo(end: number): void {
    this.#at = Math.max(this.#at, end);
  }

  put(bytes: Uint8Array): void {
    this.#add({ bytes });
  }

  /**
   * Keeps what comes before `from`, and puts others in the place of the bytes from there to `to`. What was replaced or
   * kept already stays so.
   */
  replace(from: number, to: number, replacement: Replacement): void {
    const start = Math.max(from, this.#at);
    if (to <= start) return;
    this.keepTo(start);
    this.#add(
      replacement === 'zeros'
        ? { zeros: to - start }
        : { bytes: replacement.subarray(start - from, to - from) },
    );
    this.#at = to;
  }

  #add(piece: Piece): void {
    if (this.#pieces.length >= MOST_PARTS) throw new DamagedContent('too many parts');
    this.#pieces.push(piece);
  }

  /** Returns whether the new content may differ from the old one, which has so many bytes. */
  changes(sizeBytes: number): boolean {
    const [first, ...others] = this.#pieces;
    const isWhole =
      first !== undefined && 'from' in first && first.from === 0 && first.to === sizeBytes;
    return !isWhole || others.length > 0;
  }
}

/** The plan that makes these edits. What reaches beyond the file, or into an earlier edit, is left out. */
export function planOf(edits: readonly Edit[], sizeBytes: number): Plan {
  if (edits.length > MOST_PARTS) throw new DamagedContent('too many parts');
  const plan = new Plan();
  for (const { from, to, replacement } of edits.toSorted((a, b) => a.from - b.from)) {
    plan.replace(from, Math.min(to, sizeBytes), replacement);
  }
  plan.keepTo(sizeBytes);
  return plan;
}

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
