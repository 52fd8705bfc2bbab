import { afterAll } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContentFacts, inspectContent } from '@hearth/media';

/** A file of this folder and what its bytes show; make.sh says how it was made. */
export interface Fixture {
  readonly name: string;
  readonly facts: ContentFacts;
}

const image = (name: string, contentType: string, size = '67x45'): Fixture =>
  fixture(name, contentType, { type: 'image', ...sides(size) });

const video = (name: string, contentType: string, size = '64x48'): Fixture =>
  fixture(name, contentType, { type: 'video', ...sides(size) });

const other = (name: string, contentType: string): Fixture =>
  fixture(name, contentType, { type: 'other' });

/** Every binary file of this folder. */
export const fixtures: readonly Fixture[] = [
  image('palette.png', 'image/png'),
  image('interlaced.png', 'image/png', '12x8'),
  image('animated.apng', 'image/apng'),
  image('baseline.jpg', 'image/jpeg'),
  image('progressive.jpg', 'image/jpeg'),
  image('gray.jpg', 'image/jpeg'),
  image('rotated-by-exif.jpg', 'image/jpeg'),
  image('still.gif', 'image/gif'),
  image('animated.gif', 'image/gif'),
  image('lossy.webp', 'image/webp'),
  image('lossless.webp', 'image/webp'),
  image('extended.webp', 'image/webp'),
  image('still.avif', 'image/avif'),
  image('alpha.avif', 'image/avif'),
  image('rotated.avif', 'image/avif'),
  image('grid.avif', 'image/avif', '128x64'),
  image('thumbnail.heic', 'image/heic', '128x64'),
  image('palette.bmp', 'image/bmp'),
  image('icon.ico', 'image/x-icon', '32x32'),
  video('moov-first.mp4', 'video/mp4'),
  video('moov-last.mp4', 'video/mp4'),
  video('fragmented.mp4', 'video/mp4'),
  video('hevc.mp4', 'video/mp4'),
  video('sound-first.mp4', 'video/mp4'),
  video('wide-pixels.mp4', 'video/mp4', '85x48'),
  video('portrait.mp4', 'video/mp4', '48x64'),
  video('quicktime.mov', 'video/quicktime'),
  video('vp8.webm', 'video/webm'),
  video('vp9.webm', 'video/webm'),
  video('live.webm', 'video/webm'),
  video('tall-pixels.webm', 'video/webm', '64x96'),
  video('video.mkv', 'video/x-matroska'),
  other('sound.mp4', 'video/mp4'),
  other('sound.webm', 'video/webm'),
  other('sound.m4a', 'audio/x-m4a'),
  other('sound.mp3', 'audio/mpeg'),
  other('video.avi', 'video/vnd.avi'),
  other('small.tiff', 'image/tiff'),
  other('text.gz', 'application/gzip'),
];

/** The answer for bytes that say nothing, or the wrong thing. */
export const unknown: ContentFacts = {
  contentType: 'application/octet-stream',
  metadata: { type: 'other' },
};

export function fixturePath(name: string): string {
  return join(import.meta.dirname, name);
}

export async function fixtureBytes(name: string): Promise<Buffer> {
  return await readFile(fixturePath(name));
}

/** A file of changing content for tests; removed with its folder. */
export class ScratchFile implements AsyncDisposable {
  readonly path: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'content');
  }

  static create(): ScratchFile {
    return new ScratchFile(mkdtempSync(join(tmpdir(), 'hearth-content-')));
  }

  /** One for all tests of the file that calls this. */
  static forTests(): ScratchFile {
    const scratch = ScratchFile.create();
    afterAll(() => scratch[Symbol.asyncDispose]());
    return scratch;
  }

  async inspect(bytes: Uint8Array, isText = false): Promise<ContentFacts> {
    await writeFile(this.path, bytes);
    return await inspectContent(this.path, bytes.length, isText);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

/** A box of the ISO base media file format. */
export function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(8), ...contents]);
  bytes.writeUInt32BE(bytes.length);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

/** A 64-bit box header that announces `size` bytes, itself included. */
export function largeBoxHeader(type: string, size: bigint): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1);
  header.write(type, 4, 'latin1');
  header.writeBigUInt64BE(size, 8);
  return header;
}

/** Numbers one after the other, each as the bytes of a big-endian integer. */
export function integers(byteLength: 1 | 2 | 4, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * byteLength);
  for (const [index, value] of values.entries()) {
    bytes.writeUIntBE(value, index * byteLength, byteLength);
  }
  return bytes;
}

/** An element of EBML. */
export function element(id: number, ...contents: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(contents);
  const size = Buffer.alloc(8);
  size.writeUIntBE(data.length, 2, 6);
  size.writeUInt8(1);
  return Buffer.concat([Buffer.from(id.toString(16), 'hex'), size, data]);
}

function fixture(name: string, contentType: string, metadata: ContentFacts['metadata']): Fixture {
  return { name, facts: { contentType, metadata } };
}

function sides(size: string): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
}
