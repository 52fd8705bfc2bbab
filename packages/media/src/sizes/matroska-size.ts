import { DamagedContent, type FileWindow } from '../file-window.ts';
import { type PixelSize, pixelSize, squarePixels } from './pixel-size.ts';

/** An element of EBML; `start` and `end` enclose its data. */
interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

type Span = Pick<Element, 'start' | 'end'>;

const IDS = {
  segment: 0x18_53_80_67,
  tracks: 0x16_54_ae_6b,
  trackEntry: 0xae,
  trackType: 0x83,
  isEnabled: 0xb9,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  displayWidth: 0x54_b0,
  displayHeight: 0x54_ba,
} as const;
const VIDEO_TRACK_TYPE = 1;
const MAX_ID_BYTES = 4;
const MAX_SIZE_BYTES = 8;

/**
 * The size in square pixels at which a WebM or Matroska file is displayed, that of its first enabled video track.
 * undefined if it has no video track.
 */
export async function readMatroskaSize(file: FileWindow): Promise<PixelSize | undefined> {
  const segment = await needElement(file, { start: 0, end: file.sizeBytes }, IDS.segment);
  const tracks = await needElement(file, segment, IDS.tracks);
  let disabled: PixelSize | undefined;
  for await (const entry of readElements(file, tracks)) {
    if (entry.id !== IDS.trackEntry) continue;
    const fields = await readFields(file, entry);
    if ((await readUint(file, fields.get(IDS.trackType))) !== VIDEO_TRACK_TYPE) continue;
    const size = await readVideoSize(file, fields.get(IDS.video));
    if ((await readUint(file, fields.get(IDS.isEnabled), 1)) === 1) return size;
    disabled ??= size;
  }
  return disabled;
}

async function readVideoSize(file: FileWindow, video: Element | undefined): Promise<PixelSize> {
  if (video === undefined) throw new DamagedContent('a video track without a picture');
  const fields = await readFields(file, video);
  const width = await readUint(file, fields.get(IDS.pixelWidth));
  const height = await readUint(file, fields.get(IDS.pixelHeight));
  // In any unit (pixels, centimetres, a mere ratio), so only their ratio shows the pixels' shape
  const displayWidth = await readUint(file, fields.get(IDS.displayWidth), width);
  const displayHeight = await readUint(file, fields.get(IDS.displayHeight), height);
  return squarePixels(pixelSize(width, height), displayWidth * height, displayHeight * width);
}

async function needElement(file: FileWindow, span: Span, id: number): Promise<Element> {
  for await (const element of readElements(file, span)) {
    if (element.id === id) return element;
  }
  throw new DamagedContent(`no element ${id.toString(16)}`);
}

async function readFields(file: FileWindow, span: Span): Promise<ReadonlyMap<number, Element>> {
  const fields = new Map<number, Element>();
  for await (const element of readElements(file, span)) fields.set(element.id, element);
  return fields;
}

async function* readElements(file: FileWindow, span: Span): AsyncGenerator<Element> {
  let at = span.start;
  while (at < span.end) {
    const header = await file.read(at, Math.min(MAX_ID_BYTES + MAX_SIZE_BYTES, span.end - at));
    const idBytes = integerBytes(header, 0, MAX_ID_BYTES);
    const sizeBytes = integerBytes(header, idBytes, MAX_SIZE_BYTES);
    const id = header.readUIntBE(0, idBytes);
    const start = at + idBytes + sizeBytes;
    const size = dataSize(header.subarray(idBytes, idBytes + sizeBytes));
    // A recording may not know its size, and one that was cut off still plays
    const end = id === IDS.segment ? Math.min(start + size, span.end) : start + size;
    if (end > span.end) throw new DamagedContent('an element larger than its parent');
    yield { id, start, end };
    at = end;
  }
}

/** Returns how many bytes the variable-length integer at `at` takes: one more than its first byte has leading zeros. */
function integerBytes(header: Buffer, at: number, max: number): number {
  const length = at < header.length ? Math.clz32(header.readUInt8(at)) - 23 : Infinity;
  if (length > max || at + length > header.length) throw new DamagedContent('no EBML integer');
  return length;
}

/** The value without the marker bit; Infinity if all bits are ones, which means that the size is unknown. */
function dataSize(bytes: Buffer): number {
  // Dropped before summing up: with the marker, a long integer would be too large to be exact
  const first = bytes.readUInt8(0) & (0xff >>> bytes.length);
  const value = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, first);
  return value === 2 ** (7 * bytes.length) - 1 ? Infinity : value;
}

async function readUint(
  file: FileWindow,
  element: Element | undefined,
  absent = 0,
): Promise<number> {
  if (element === undefined) return absent;
  const length = element.end - element.start;
  if (length > MAX_SIZE_BYTES) throw new DamagedContent('an integer that is too long');
  const bytes = await file.read(element.start, length);
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}
