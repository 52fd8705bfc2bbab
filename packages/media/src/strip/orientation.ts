const TAG = 0x01_12;
const ENTRY_BYTES = 12;
const SHORT = 3;

/**
 * The orientation in a TIFF structure, as Exif has it: 2 to 8. Undefined if it is upright, or not given, or if the
 * structure is damaged.
 */
export function orientationIn(tiff: Buffer): number | undefined {
  const order = tiff.toString('latin1', 0, 4);
  const isLittle = order === 'II*\0';
  if (!isLittle && order !== 'MM\0*') return undefined;
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  if (tiff.length < 8) return undefined;
  const directory = long(4);
  if (directory + 2 > tiff.length) return undefined;
  const count = short(directory);
  for (let entry = 0; entry < count; entry += 1) {
    const at = directory + 2 + entry * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.length) return undefined;
    if (short(at) !== TAG) continue;
    const value = short(at + 2) === SHORT ? short(at + 8) : long(at + 8);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** A TIFF structure with nothing but an orientation, or with nothing at all. */
export function smallTiff(orientation?: number): Buffer {
  const head = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8];
  const next = [0, 0, 0, 0];
  if (orientation === undefined) return Buffer.from([...head, 0, 0, ...next]);
  const entry = [0x01, 0x12, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Buffer.from([...head, 0, 1, ...entry, ...next]);
}
