import { type Box, findBox, needBox, readBoxes } from '../boxes.ts';
import { DamagedContent, type FileWindow } from '../file-window.ts';
import { type PixelSize, pixelSize, squarePixels } from './pixel-size.ts';

interface VideoTrack {
  readonly isEnabled: boolean;
  readonly size: PixelSize;
}

const ENABLED_FLAG = 1;
const SAMPLE_ENTRY_FIELDS_BYTES = 78;

/**
 * The size at which an MP4 or QuickTime movie is displayed, that of its first enabled video track: in square pixels
 * and with its rotation applied. undefined if it has no video track.
 */
export async function readMovieSize(file: FileWindow): Promise<PixelSize | undefined> {
  const movie = await needBox(file, { start: 0, end: file.sizeBytes }, 'moov');
  let disabled: PixelSize | undefined;
  for await (const box of readBoxes(file, movie)) {
    const track = box.type === 'trak' ? await readVideoTrack(file, box) : undefined;
    if (track?.isEnabled === true) return track.size;
    disabled ??= track?.size;
  }
  return disabled;
}

async function readVideoTrack(file: FileWindow, track: Box): Promise<VideoTrack | undefined> {
  const media = await needBox(file, track, 'mdia');
  const handler = await needBox(file, media, 'hdlr');
  if ((await file.read(handler.start + 8, 4)).toString('latin1') !== 'vide') return undefined;
  const header = await needBox(file, track, 'tkhd');
  const versionAndFlags = (await file.read(header.start, 4)).readUInt32BE();
  const size = await readSampleSize(file, await needBox(file, media, 'minf', 'stbl', 'stsd'));
  const isSideways = await readIsSideways(
    file,
    header.start + (versionAndFlags >>> 24 === 1 ? 52 : 40),
  );
  return {
    isEnabled: (versionAndFlags & ENABLED_FLAG) !== 0,
    size: isSideways ? pixelSize(size.height, size.width) : size,
  };
}

/** Resolves with whether the track's matrix turns its frames by about 90 or 270 degrees. */
async function readIsSideways(file: FileWindow, offset: number): Promise<boolean> {
  const matrix = await file.read(offset, 8);
  return Math.abs(matrix.readInt32BE(4)) > Math.abs(matrix.readInt32BE(0));
}

/** The first sample description's size in square pixels. */
async function readSampleSize(file: FileWindow, descriptions: Box): Promise<PixelSize> {
  const entries = readBoxes(file, { start: descriptions.start + 8, end: descriptions.end });
  for await (const entry of entries) {
    const bytes = await file.read(entry.start + 24, 4);
    const stored = pixelSize(bytes.readUInt16BE(0), bytes.readUInt16BE(2));
    const aspect = await findBox(
      file,
      { start: entry.start + SAMPLE_ENTRY_FIELDS_BYTES, end: entry.end },
      'pasp',
    );
    if (aspect === undefined) return stored;
    const ratio = await file.read(aspect.start, 8);
    return squarePixels(stored, ratio.readUInt32BE(0), ratio.readUInt32BE(4));
  }
  throw new DamagedContent('no sample description');
}
