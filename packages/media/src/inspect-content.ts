import { isForPrograms, isSvg } from './svg.ts';
import { DamagedContent, FileWindow } from './file-window.ts';
import { readHeifSize } from './sizes/heif-size.ts';
import {
  readBmpSize,
  readGifSize,
  readIcoSize,
  readPngSize,
  readWebpSize,
} from './sizes/image-size.ts';
import { readJpegSize } from './sizes/jpeg-size.ts';
import { readMatroskaSize } from './sizes/matroska-size.ts';
import { readMovieSize } from './sizes/movie-size.ts';
import type { PixelSize } from './sizes/pixel-size.ts';
import { sniffContentType, UNKNOWN_CONTENT_TYPE } from './sniff-content-type.ts';

/** Facts that the bytes of a file show: the type it is served with, and the facts that clients get. */
export interface ContentFacts {
  readonly contentType: string;
  readonly metadata:
    | { readonly type: 'image' | 'video'; readonly width: number; readonly height: number }
    | { readonly type: 'text' | 'other' };
}

interface Format {
  readonly type: 'image' | 'video';
  /** Throws DamagedContent; undefined if there is nothing to see in the file, as in a WebM with only sound. */
  readonly readSize: (file: FileWindow) => Promise<PixelSize | undefined>;
}

const TEXT_HEAD_BYTES = 4096;
const SNIFFED_HEAD_BYTES = 64 * 1024;
const MOVIE: Format = { type: 'video', readSize: readMovieSize };
const HEIF: Format = { type: 'image', readSize: readHeifSize };
const PNG: Format = { type: 'image', readSize: readPngSize };

const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['image/png', PNG],
  ['image/apng', PNG],
  ['image/jpeg', { type: 'image', readSize: readJpegSize }],
  ['image/gif', { type: 'image', readSize: readGifSize }],
  ['image/webp', { type: 'image', readSize: readWebpSize }],
  ['image/bmp', { type: 'image', readSize: readBmpSize }],
  ['image/x-icon', { type: 'image', readSize: readIcoSize }],
  ['image/avif', HEIF],
  ['image/heic', HEIF],
  ['image/heif', HEIF],
  ['video/mp4', MOVIE],
  ['video/x-m4v', MOVIE],
  ['video/quicktime', MOVIE],
  ['video/3gpp', MOVIE],
  ['video/3gpp2', MOVIE],
  ['video/webm', { type: 'video', readSize: readMatroskaSize }],
  ['video/x-matroska', { type: 'video', readSize: readMatroskaSize }],
]);

/**
 * Facts about the file at `path`, from its bytes alone: neither its name nor the type a client declared matters.
 * Damaged content never throws: it is `other`. A file that cannot be opened or read does throw.
 *
 * An image's width and height are those of the stored pixels; its EXIF or HEIF orientation is not applied.
 * A video's are those it is displayed with: square pixels, rotation applied.
 * However large or hostile the file, work and memory are bounded (see FileWindow), and the same bytes always give the
 * same facts.
 */
export async function inspectContent(
  path: string,
  sizeBytes: number,
  isText: boolean,
): Promise<ContentFacts> {
  await using file = await FileWindow.open(path, sizeBytes);
  if (isText) return textFacts(await file.readHead(TEXT_HEAD_BYTES));
  const contentType = await sniffContentType(await file.readHead(SNIFFED_HEAD_BYTES));
  const format = FORMATS.get(contentType);
  if (format === undefined) return otherFacts(contentType);
  try {
    const size = await format.readSize(file);
    return size === undefined
      ? otherFacts(contentType)
      : { contentType, metadata: { type: format.type, width: size.width, height: size.height } };
  } catch (error) {
    if (error instanceof DamagedContent) return otherFacts(UNKNOWN_CONTENT_TYPE);
    throw error;
  }
}

async function textFacts(head: Buffer): Promise<ContentFacts> {
  if (isForPrograms(head)) return otherFacts(await sniffContentType(head));
  return {
    contentType: isSvg(head) ? 'image/svg+xml' : 'text/plain; charset=utf-8',
    metadata: { type: 'text' },
  };
}

function otherFacts(contentType: string): ContentFacts {
  return { contentType, metadata: { type: 'other' } };
}
