import { DamagedContent, type FileWindow } from '../file-window.ts';
import { orientationIn, smallTiff } from './orientation.ts';
import { Plan } from './plan.ts';

const HEADER_BYTES = 12;
const KEPT: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const PIXELS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ANMF']);
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

/** Leaves out all chunks but those of pixels and the colour profile, and what follows the end; keeps the orientation. */
export async function stripWebp(file: FileWindow): Promise<Plan> {
  const header = await file.read(0, HEADER_BYTES);
  const end = Math.min(file.sizeBytes, 8 + header.readUInt32LE(4));
  const { extended, orientation, hasOthers, hasPixels } = await survey(file, end);
  if (!hasPixels) throw new DamagedContent('no pixels');
  if (!hasOthers) return trimmed(file, header);
  const plan = new Plan();
  const exif = extended === undefined || orientation === undefined ? undefined : orientation;
  const kept = await keptBytes(file, end);
  const added = exif === undefined ? Buffer.alloc(0) : exifChunk(exif);
  const newHeader = Buffer.from(header);
  newHeader.writeUInt32LE(HEADER_BYTES - 8 + kept + added.length, 4);
  plan.replace(0, HEADER_BYTES, newHeader);
  for await (const chunk of readChunks(file, end)) {
    if (!KEPT.has(chunk.type)) {
      plan.keepTo(chunk.at);
      plan.dropTo(chunk.end);
    } else if (chunk.at === extended) {
      const flags = (await file.read(chunk.at + 8, 1)).readUInt8() & ~(EXIF_FLAG | XMP_FLAG);
      const set = Uint8Array.of(exif === undefined ? flags : flags | EXIF_FLAG);
      plan.replace(chunk.at + 8, chunk.at + 9, set);
    }
  }
  plan.keepTo(end);
  if (added.length > 0) plan.put(added);
  return plan;
}

interface Chunk {
  readonly type: string;
  readonly at: number;
  readonly end: number;
}

async function* readChunks(file: FileWindow, end: number): AsyncGenerator<Chunk> {
  let at = HEADER_BYTES;
  while (end - at >= 8) {
    const head = await file.read(at, 8);
    const bytes = head.readUInt32LE(4);
    // The last one may break off.
    const next = Math.min(at + 8 + bytes + (bytes % 2), end);
    yield { type: head.toString('latin1', 0, 4), at, end: next };
    at = next;
  }
}

/** Finds out what is known before the new length is. */
async function survey(file: FileWindow, end: number) {
  let extended: number | undefined;
  let orientation: number | undefined;
  let [hasOthers, hasPixels] = [false, false];
  for await (const { type, at, end: chunkEnd } of readChunks(file, end)) {
    hasOthers ||= !KEPT.has(type);
    hasPixels ||= PIXELS.has(type);
    if (type === 'VP8X' && chunkEnd - at > 8) extended ??= at;
    if (type !== 'EXIF' || chunkEnd - at <= 8) continue;
    const data = await file.read(at + 8, Math.min(chunkEnd - at - 8, 64 * 1024));
    const isPrefixed = data.toString('latin1', 0, 6) === 'Exif\0\0';
    orientation ??= orientationIn(isPrefixed ? data.subarray(6) : data);
  }
  return { extended, orientation, hasOthers, hasPixels };
}

async function keptBytes(file: FileWindow, end: number): Promise<number> {
  let bytes = 0;
  for await (const chunk of readChunks(file, end)) {
    if (KEPT.has(chunk.type)) bytes += chunk.end - chunk.at;
  }
  return bytes;
}

/** The file up to the end that its header announces. */
function trimmed(file: FileWindow, header: Buffer): Plan {
  const plan = new Plan();
  const bytes = header.readUInt32LE(4);
  plan.keepTo(Math.min(file.sizeBytes, 8 + bytes + (bytes % 2)));
  return plan;
}

function exifChunk(orientation: number): Buffer {
  const tiff = smallTiff(orientation);
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(tiff.length, 4);
  return Buffer.concat([head, tiff]);
}
