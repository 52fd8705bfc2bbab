import { DamagedContent, type FileWindow } from '../file-window.ts';
import { orientationIn, smallTiff } from './orientation.ts';
import { Plan } from './plan.ts';

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;

/** Chunks that decoders may ignore, but that change how the pixels are shown. */
const KEPT: ReadonlySet<string> = new Set([
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'mDCV',
  'cLLI',
  'mDCv',
  'cLLi',
  'bKGD',
  'hIST',
  'pHYs',
  'sPLT',
  'acTL',
  'fcTL',
  'fdAT',
]);

/** Leaves out texts, times, Exif and unknown chunks, and what follows the end; keeps the orientation. */
export async function stripPng(file: FileWindow): Promise<Plan> {
  const plan = new Plan();
  const { sizeBytes } = file;
  let at = SIGNATURE_BYTES;
  while (sizeBytes - at >= FRAME_BYTES) {
    const head = await file.read(at, 8);
    const type = head.toString('latin1', 4, 8);
    if (!/^[A-Za-z]{4}$/.test(type)) throw new DamagedContent('no chunk');
    // The last one may break off.
    const end = Math.min(at + FRAME_BYTES + head.readUInt32BE(0), sizeBytes);
    if (!isCritical(type) && !KEPT.has(type)) {
      plan.keepTo(at);
      const orientation = type === 'eXIf' ? await orientationOf(file, at, end) : undefined;
      if (orientation !== undefined) plan.put(await exifChunk(orientation));
      plan.dropTo(end);
    }
    at = end;
    if (type === 'IEND') {
      plan.keepTo(at);
      return plan;
    }
  }
  plan.keepTo(sizeBytes);
  return plan;
}

/** Pixels cannot be shown without a chunk whose first letter is a capital. */
function isCritical(type: string): boolean {
  return type < 'a';
}

async function orientationOf(
  file: FileWindow,
  at: number,
  end: number,
): Promise<number | undefined> {
  const bytes = Math.min(end - at - FRAME_BYTES, 64 * 1024);
  return bytes <= 0 ? undefined : orientationIn(await file.read(at + 8, bytes));
}

async function exifChunk(orientation: number): Promise<Buffer> {
  const body = Buffer.concat([Buffer.from('eXIf'), smallTiff(orientation)]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  const { crc32 } = await import('node:zlib');
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
