import { DamagedContent, type FileWindow } from '../file-window.ts';
import { pixelSize, type PixelSize } from './pixel-size.ts';

const PREFIX = 0xff;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const START_OF_IMAGE_BYTES = 2;

/** The size in the frame header, which may come after EXIF, a colour profile and other segments. */
export async function readJpegSize(file: FileWindow): Promise<PixelSize> {
  let at = START_OF_IMAGE_BYTES;
  for (;;) {
    const bytes = await file.read(at, 2);
    const marker = bytes.readUInt8(1);
    if (bytes.readUInt8(0) !== PREFIX || marker === PREFIX) {
      at += 1; // fill bytes, and stray ones, which decoders skip too
    } else if (isAlone(marker)) {
      at += 2;
    } else if (marker === START_OF_SCAN || marker === END_OF_IMAGE) {
      throw new DamagedContent('no frame header');
    } else {
      const length = (await file.read(at + 2, 2)).readUInt16BE();
      if (length < 2) throw new DamagedContent('a segment of no length');
      if (isFrameHeader(marker)) return frameSize(await file.read(at + 4, 6), length);
      at += 2 + length;
    }
  }
}

/** SOF0 to SOF15, whose range has three markers with another meaning: DHT, JPG and DAC. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers that no length follows: a stuffed zero, TEM, RST0 to RST7 and SOI. */
export function isAlone(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

function frameSize(header: Buffer, length: number): PixelSize {
  const components = header.readUInt8(5);
  if (components === 0 || length !== 8 + 3 * components)
    throw new DamagedContent('a frame header of wrong length');
  // A height of 0 means that it follows the first scan (DNL), which hardly anything reads
  return pixelSize(header.readUInt16BE(3), header.readUInt16BE(1));
}
