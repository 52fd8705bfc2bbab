import { DamagedContent, type FileWindow } from '../file-window.ts';
import { type PixelSize, pixelSize } from './pixel-size.ts';

const BMP_INFO_HEADERS: readonly number[] = [40, 52, 56, 64, 108, 124];
const BMP_CORE_HEADER = 12;
const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const MAX_14_BITS = 0x3f_ff;

export async function readPngSize(file: FileWindow): Promise<PixelSize> {
  const bytes = await file.read(0, 33);
  // Only here, because loading it takes as long as much of the rest of a start.
  const { crc32 } = await import('node:zlib');
  if (crc32(bytes.subarray(12, 29)) !== bytes.readUInt32BE(29))
    throw new DamagedContent('wrong checksum');
  return pixelSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

export async function readGifSize(file: FileWindow): Promise<PixelSize> {
  const bytes = await file.read(0, 10);
  const signature = bytes.toString('latin1', 0, 6);
  if (signature !== 'GIF87a' && signature !== 'GIF89a') throw new DamagedContent('no GIF version');
  return pixelSize(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
}

export async function readWebpSize(file: FileWindow): Promise<PixelSize> {
  const bytes = await file.read(0, 30);
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return pixelSize(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      if (bytes.readUInt8(20) !== 0x2f) throw new DamagedContent('no lossless signature');
      const bits = bytes.readUInt32LE(21);
      return pixelSize((bits & MAX_14_BITS) + 1, ((bits >>> 14) & MAX_14_BITS) + 1);
    }
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d_01_2a) throw new DamagedContent('no key frame');
      return pixelSize(bytes.readUInt16LE(26) & MAX_14_BITS, bytes.readUInt16LE(28) & MAX_14_BITS);
    default:
      throw new DamagedContent('no picture');
  }
}

export async function readBmpSize(file: FileWindow): Promise<PixelSize> {
  const bytes = await file.read(0, 26);
  const pixelsAt = bytes.readUInt32LE(10);
  const header = bytes.readUInt32LE(14);
  // Two letters are a weak sign: text and programs begin with them too
  if (pixelsAt < 14 + header || pixelsAt > file.sizeBytes) throw new DamagedContent('no pixels');
  if (header === BMP_CORE_HEADER) return pixelSize(bytes.readUInt16LE(18), bytes.readUInt16LE(20));
  if (!BMP_INFO_HEADERS.includes(header)) throw new DamagedContent('no bitmap header');
  return pixelSize(bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))); // negative: rows from the top
}

/** The size of the largest picture in the icon. */
export async function readIcoSize(file: FileWindow): Promise<PixelSize> {
  const count = (await file.read(4, 2)).readUInt16LE();
  let largest: PixelSize | undefined;
  for (let index = 0; index < count; index += 1) {
    const entry = await file.read(ICO_HEADER_BYTES + index * ICO_ENTRY_BYTES, ICO_ENTRY_BYTES);
    const end = entry.readUInt32LE(8) + entry.readUInt32LE(12);
    if (end > file.sizeBytes) throw new DamagedContent('a picture outside the file');
    const size = pixelSize(entry.readUInt8(0) || 256, entry.readUInt8(1) || 256);
    if (largest === undefined || size.width * size.height > largest.width * largest.height)
      largest = size;
  }
  if (largest === undefined) throw new DamagedContent('no picture');
  return largest;
}
