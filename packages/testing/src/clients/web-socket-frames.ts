/** A frame of the WebSocket protocol as it came over the wire. */
export interface Frame {
  readonly opcode: number;
  /** The bits before the opcode: 0x80 for the last fragment, 0x70 for what extensions use. */
  readonly flags: number;
  readonly payload: Buffer;
  readonly bytes: Buffer;
}

/** Differences of a frame from those of a well-behaved client. */
export interface FrameOptions {
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  readonly reservedBits?: number;
}

export const OPCODES = {
  continuation: 0,
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
} as const;

const MASK = Buffer.from([0x1f, 0x00, 0xa5, 0xff]);

/** The bytes of a client's frame. */
export function clientFrame(
  opcode: number,
  payload: string | Uint8Array,
  { isFinal = true, isMasked = true, reservedBits = 0 }: FrameOptions = {},
): Buffer {
  const body = Buffer.from(payload);
  const first = (isFinal ? 0x80 : 0) | reservedBits | opcode;
  const head = [Buffer.from([first]), lengthField(body.byteLength, isMasked ? 0x80 : 0)];
  if (!isMasked) return Buffer.concat([...head, body]);
  const masked = body.map((byte, index) => byte ^ (MASK[index % 4] ?? 0));
  return Buffer.concat([...head, MASK, masked]);
}

/** The first frame in a server's bytes, or undefined if it is not complete. */
export function readFrame(bytes: Buffer): Frame | undefined {
  if (bytes.byteLength < 2) return undefined;
  const short = bytes.readUInt8(1);
  const headBytes = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.byteLength < headBytes) return undefined;
  const payloadBytes = {
    126: () => bytes.readUInt16BE(2),
    127: () => Number(bytes.readBigUInt64BE(2)),
  };
  const length = short === 126 || short === 127 ? payloadBytes[short]() : short;
  const end = headBytes + length;
  if (bytes.byteLength < end) return undefined;
  const first = bytes.readUInt8(0);
  return {
    opcode: first & 0x0f,
    flags: first & 0xf0,
    payload: bytes.subarray(headBytes, end),
    bytes: bytes.subarray(0, end),
  };
}

function lengthField(length: number, maskBit: number): Buffer {
  if (length < 126) return Buffer.from([maskBit | length]);
  if (length < 65_536) {
    const field = Buffer.from([maskBit | 126, 0, 0]);
    field.writeUInt16BE(length, 1);
    return field;
  }
  const field = Buffer.alloc(9);
  field.writeUInt8(maskBit | 127, 0);
  field.writeBigUInt64BE(BigInt(length), 1);
  return field;
}
