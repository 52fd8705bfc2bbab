import { DamagedContent, FileWindow } from '../file-window.ts';
import { sniffContentType } from '../sniff-content-type.ts';
import type { Piece, Plan } from './plan.ts';
import { stripGif } from './strip-gif.ts';
import { stripHeif } from './strip-heif.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripMovie } from './strip-movie.ts';
import { stripPng } from './strip-png.ts';
import { stripWebp } from './strip-webp.ts';

type Strip = (file: FileWindow) => Promise<Plan>;

const FORMATS: ReadonlyMap<string, Strip> = new Map<string, Strip>([
  ['image/jpeg', stripJpeg],
  ['image/png', stripPng],
  ['image/apng', stripPng],
  ['image/gif', stripGif],
  ['image/webp', stripWebp],
  ['image/avif', stripHeif],
  ['image/heic', stripHeif],
  ['image/heif', stripHeif],
  ['image/heic-sequence', stripHeif],
  ['image/heif-sequence', stripHeif],
  ['video/mp4', stripMovie],
  ['video/x-m4v', stripMovie],
  ['video/quicktime', stripMovie],
  ['video/3gpp', stripMovie],
  ['video/3gpp2', stripMovie],
]);

const SNIFFED_HEAD_BYTES = 64 * 1024;
const WINDOW_BYTES = 64 * 1024;

/**
 * Returns how the file at `path` is written without what it says about where, when, with what and by whom it was made.
 * The pixels, their orientation and their colours stay byte for byte. Undefined if nothing is removed: the format has
 * no metadata or is not known, or the file is damaged. Work is bounded by the size of the file, and memory by the
 * number of its parts.
 */
export async function planStrip(
  path: string,
  sizeBytes: number,
): Promise<readonly Piece[] | undefined> {
  await using file = await FileWindow.open(path, sizeBytes, {
    windowBytes: WINDOW_BYTES,
    loads: 1024 + Math.ceil(sizeBytes / WINDOW_BYTES) * 4,
    reads: 100_000 + Math.ceil(sizeBytes / 64),
  });
  const contentType = await sniffContentType(await file.readHead(SNIFFED_HEAD_BYTES));
  const strip = FORMATS.get(contentType);
  if (strip === undefined) return undefined;
  try {
    const plan = await strip(file);
    return plan.changes(sizeBytes) ? plan.pieces : undefined;
  } catch (error) {
    if (error instanceof DamagedContent) return undefined;
    throw error;
  }
}
