import type { FileMetadata } from '@hearth/protocol';
import { DamagedContent, FileWindow } from './media/file-window.ts';
import { readHeifSize } from './media/heif-size.ts';
import {
  readBmpSize,
  readGifSize,
  readIcoSize,
  readPngSize,
  readWebpSize,
} from './media/image-size.ts';
import { readJpegSize } from './media/jpeg-size.ts';
import { readMatroskaSize } from './media/matroska-size.ts';
import { readMovieSize } from './media/movie-size.ts';
import type { PixelSize } from './media/pixel-size.ts';
import { sniffContentType, unknownContentType } from './media/sniff-content-type.ts';
import { isSvg } from './media/svg.ts';

/** What the bytes of a file tell about it: the type it is served with, and what clients are told. */
export interface ContentFacts {
  readonly contentType: string;
  readonly metadata: FileMetadata;
}

interface Format {
  readonly type: 'image' | 'video';
  /** Throws DamagedContent; undefined when there is nothing to see in the file, as in a WebM of sound alone. */
  readonly readSize: (file: FileWindow) => Promise<PixelSize | undefined>;
}

const svgHeadBytes = 4096;
const sniffedHeadBytes = 64 * 1024;
const movie: Format = { type: 'video', readSize: readMovieSize };
const heif: Format = { type: 'image', readSize: readHeifSize };
const png: Format = { type: 'image', readSize: readPngSize };

const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['image/png', png],
  ['image/apng', png],
  ['image/jpeg', { type: 'image', readSize: readJpegSize }],
  ['image/gif', { type: 'image', readSize: readGifSize }],
  ['image/webp', { type: 'image', readSize: readWebpSize }],
  ['image/bmp', { type: 'image', readSize: readBmpSize }],
  ['image/x-icon', { type: 'image', readSize: readIcoSize }],
  ['image/avif', heif],
  ['image/heic', heif],
  ['image/heif', heif],
  ['video/mp4', movie],
  ['video/x-m4v', movie],
  ['video/quicktime', movie],
  ['video/3gpp', movie],
  ['video/3gpp2', movie],
  ['video/webm', { type: 'video', readSize: readMatroskaSize }],
  ['video/x-matroska', { type: 'video', readSize: readMatroskaSize }],
]);

/**
 * Facts of the file at `path`, from its bytes alone: neither its name nor the type a client declared matters.
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
  if (isText) return textFacts(await file.readHead(svgHeadBytes));
  const contentType = await sniffContentType(await file.readHead(sniffedHeadBytes));
  const format = formats.get(contentType);
  if (format === undefined) return otherFacts(contentType);
  try {
    const size = await format.readSize(file);
    return size === undefined
      ? otherFacts(contentType)
      : { contentType, metadata: { type: format.type, width: size.width, height: size.height } };
  } catch (error) {
    if (error instanceof DamagedContent) return otherFacts(unknownContentType);
    throw error;
  }
}

function textFacts(head: Uint8Array): ContentFacts {
  return {
    contentType: isSvg(head) ? 'image/svg+xml' : 'text/plain; charset=utf-8',
    metadata: { type: 'text' },
  };
}

function otherFacts(contentType: string): ContentFacts {
  return { contentType, metadata: { type: 'other' } };
}
