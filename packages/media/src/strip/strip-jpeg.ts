import { DamagedContent, type FileWindow } from '../file-window.ts';
import { isAlone } from '../sizes/jpeg-size.ts';
import { orientationIn, smallTiff } from './orientation.ts';
import { Plan } from './plan.ts';

const PREFIX = 0xff;
const MARKERS = { endOfImage: 0xd9, startOfScan: 0xda, app0: 0xe0, app1: 0xe1, comment: 0xfe };
const BLOCK_BYTES = 64 * 1024;
const JFIF_BYTES = 16;
const EXIF = 'Exif\0\0';

/** Application segments that change how the pixels are shown, by their markers. */
const KEPT: ReadonlyMap<number, string> = new Map([
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);

interface Segment {
  readonly marker: number;
  readonly at: number;
  readonly end: number;
}

/** Leaves out all application data and comments but the colour profile and the orientation, and what follows the end. */
export async function stripJpeg(file: FileWindow): Promise<Plan> {
  const plan = new Plan();
  const { sizeBytes } = file;
  let at = 2;
  let hasOrientation = false;
  while (sizeBytes - at >= 2) {
    const bytes = await file.read(at, 2);
    const marker = bytes.readUInt8(1);
    if (bytes.readUInt8(0) !== PREFIX || marker === PREFIX) {
      at += 1;
    } else if (marker === MARKERS.endOfImage) {
      plan.keepTo(at + 2);
      return plan;
    } else if (isAlone(marker)) {
      at += 2;
    } else {
      const segment = await readSegment(file, marker, at);
      if (await isRemoved(file, segment)) {
        plan.keepTo(at);
        const found: number | undefined = await orientationOf(file, segment);
        const orientation: number | undefined = hasOrientation ? undefined : found;
        if (orientation !== undefined) plan.put(exifSegment(orientation));
        hasOrientation ||= orientation !== undefined;
        plan.dropTo(segment.end);
      } else if (marker === MARKERS.app0 && segment.end - at > JFIF_BYTES + 2) {
        plan.keepTo(at);
        plan.put(await withoutThumbnail(file, at));
        plan.dropTo(segment.end);
      }
      at = segment.end;
      if (marker === MARKERS.startOfScan) at = await endOfScan(file, at);
    }
  }
  plan.keepTo(sizeBytes);
  return plan;
}

async function readSegment(file: FileWindow, marker: number, at: number): Promise<Segment> {
  const length = (await file.read(at + 2, 2)).readUInt16BE();
  if (length < 2) throw new DamagedContent('a segment of no length');
  // The last one may break off.
  return { marker, at, end: Math.min(at + 2 + length, file.sizeBytes) };
}

async function isRemoved(file: FileWindow, { marker, at, end }: Segment): Promise<boolean> {
  if (marker === MARKERS.comment) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  const name = KEPT.get(marker);
  if (name === undefined || end - at < 4 + name.length) return true;
  return (await file.read(at + 4, name.length)).toString('latin1') !== name;
}

async function orientationOf(
  file: FileWindow,
  { marker, at, end }: Segment,
): Promise<number | undefined> {
  if (marker !== MARKERS.app1 || end - at < 4 + EXIF.length) return undefined;
  const data = await file.read(at + 4, end - at - 4);
  if (data.toString('latin1', 0, EXIF.length) !== EXIF) return undefined;
  return orientationIn(data.subarray(EXIF.length));
}

function exifSegment(orientation: number): Buffer {
  const data = Buffer.concat([Buffer.from(EXIF, 'latin1'), smallTiff(orientation)]);
  return Buffer.concat([Buffer.from([PREFIX, MARKERS.app1, 0, data.length + 2]), data]);
}

async function withoutThumbnail(file: FileWindow, at: number): Promise<Buffer> {
  const segment = Buffer.from(await file.read(at, JFIF_BYTES + 2));
  segment.writeUInt16BE(JFIF_BYTES, 2);
  segment.fill(0, JFIF_BYTES);
  return segment;
}

/** The place of the first marker after the data of a scan, or the end of the file. */
async function endOfScan(file: FileWindow, from: number): Promise<number> {
  let at = from;
  while (file.sizeBytes - at >= 2) {
    const block = await file.read(at, Math.min(BLOCK_BYTES, file.sizeBytes - at));
    let found = block.indexOf(PREFIX);
    while (found !== -1 && found + 1 < block.length) {
      const marker = block.readUInt8(found + 1);
      if (!isAlone(marker) && marker !== PREFIX) return at + found;
      found = block.indexOf(PREFIX, found + (marker === PREFIX ? 1 : 2));
    }
    at += found === -1 ? block.length : found;
  }
  return file.sizeBytes;
}
