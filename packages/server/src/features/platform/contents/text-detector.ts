import { isUtf8 } from 'node:buffer';

const MAX_SEQUENCE_BYTES = 4;
const SPACE = 0x20;
const DEL = 0x7f;

/** The control characters that text may have: \t \n \v \f \r and ESC (terminal logs have it). */
const TEXT_CONTROLS: readonly number[] = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b];

/** For every byte, 1 if text cannot hold it. */
const FORBIDDEN = new Uint8Array(256).fill(1, 0, SPACE).fill(1, DEL, DEL + 1);
for (const control of TEXT_CONTROLS) FORBIDDEN[control] = 0;

/**
 * Decides while bytes stream in whether all of them are text: valid UTF-8 that has no NUL and no control character of
 * ASCII but \t \n \v \f \r and ESC. However the bytes are split into chunks, the answer is the same.
 */
export class TextDetector {
  // The unfinished sequence at the end of the last chunk, at most 3 bytes long
  readonly #carry = new Uint8Array(MAX_SEQUENCE_BYTES);
  #carryLength = 0;
  #decidedFalse = false;

  /** Takes the next bytes; returns at once if it is already known that this is not text. */
  update(chunk: Uint8Array): void {
    if (this.#decidedFalse || chunk.length === 0) return;
    if (holdsForbidden(chunk)) {
      this.#decidedFalse = true;
      return;
    }
    const start = this.#carryLength === 0 ? 0 : this.#completeCarry(chunk);
    if (this.#carryLength > 0 || this.#decidedFalse) return;
    const end = chunk.length - unfinishedLength(chunk);
    const isWhole = start === 0 && end === chunk.length;
    if (!isUtf8(isWhole ? chunk : chunk.subarray(start, end))) this.#decidedFalse = true;
    for (let at = end; at < chunk.length; at += 1) this.#push(chunk[at]);
  }

  /** True if the bytes so far are text; false while they end inside a character. No bytes at all are text. */
  get isText(): boolean {
    return !this.#decidedFalse && this.#carryLength === 0;
  }

  #push(byte = 0): void {
    this.#carry[this.#carryLength] = byte;
    this.#carryLength += 1;
  }

  /** Moves the bytes that the carried sequence lacks out of the chunk and returns how many there were. */
  #completeCarry(chunk: Uint8Array): number {
    const length = sequenceLength(this.#carry[0]);
    let taken = 0;
    while (this.#carryLength < length && taken < chunk.length) {
      this.#push(chunk[taken]);
      taken += 1;
    }
    if (this.#carryLength < length) return taken;
    if (!isUtf8(this.#carry.subarray(0, length))) this.#decidedFalse = true;
    this.#carryLength = 0;
    return taken;
  }
}

function holdsForbidden(chunk: Uint8Array): boolean {
  let found = 0;
  // Without a branch for each byte: text is read to its end anyway, and this is twice as fast.
  for (let at = 0; at < chunk.length; at += 1) found |= FORBIDDEN[chunk[at] ?? 0] ?? 0;
  return found !== 0;
}

/** Returns how many bytes at the end of the chunk begin a sequence that ends in the next chunk. */
function unfinishedLength(chunk: Uint8Array): number {
  const last = Math.min(MAX_SEQUENCE_BYTES - 1, chunk.length);
  for (let length = 1; length <= last; length += 1) {
    const byte = chunk[chunk.length - length] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return sequenceLength(byte) > length ? length : 0;
  }
  return 0;
}

/** The length of the sequence this byte leads; also 1 for a byte that leads none, which isUtf8 then refuses. */
function sequenceLength(lead = 0): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 1;
}
