/** The first byte of a frame with a whole text. */
export const TEXT_FRAME = 0x81;

/** Bytes of the head of a text of 126 to 65,535 bytes, whose length takes two bytes. */
export const EVENT_HEAD_BYTES = 4;

const LENGTH_IN_TWO_BYTES = 126;

/** Makes the server's frame of a text of 126 to 65,535 bytes. */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const { byteLength } = bytes;
  const head = [TEXT_FRAME, LENGTH_IN_TWO_BYTES, Math.floor(byteLength / 256), byteLength % 256];
  return Buffer.from([...head, ...bytes]);
}

/** Bytes of the frame that begins at `at`, or Infinity if its head is incomplete. Throws if it is not such a text. */
export function frameBytes(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first !== undefined && first !== TEXT_FRAME) {
    throw new Error('the gateway sent something other than a text');
  }
  const length = bytes[at + 1];
  if (length === undefined) return Infinity;
  if (length < LENGTH_IN_TWO_BYTES) return 2 + length;
  if (length > LENGTH_IN_TWO_BYTES) throw new Error('the gateway sent a text that is too long');
  const high = bytes[at + 2];
  const low = bytes[at + 3];
  if (high === undefined || low === undefined) return Infinity;
  return EVENT_HEAD_BYTES + high * 256 + low;
}

/** Bytes of the complete head of the frame that begins at `at`. */
export function headBytes(bytes: Uint8Array, at: number): number {
  const length = bytes[at + 1] ?? 0;
  return length < LENGTH_IN_TWO_BYTES ? 2 : EVENT_HEAD_BYTES;
}
