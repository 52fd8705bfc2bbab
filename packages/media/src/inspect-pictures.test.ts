import { describe, expect, test } from 'bun:test';
import { crc32 } from 'node:zlib';
import { box, fixtureBytes, integers, ScratchFile, unknown } from '@hearth/testing/media/fixtures';
import type { ContentFacts } from './inspect-content.ts';

const scratch = ScratchFile.forTests();

/** The fixture with the bytes at an offset replaced. */
async function patched(name: string, offset: number, values: readonly number[]): Promise<Buffer> {
  const bytes = await fixtureBytes(name);
  bytes.set(values, offset);
  return bytes;
}

describe('a damaged picture', () => {
  const ihdr = (width: number, height: number): number[] => {
    const chunk = Buffer.from('IHDR\0\0\0\0\0\0\0\0\x08\x02\0\0\0\0\0\0\0', 'latin1');
    chunk.writeUInt32BE(width, 4);
    chunk.writeUInt32BE(height, 8);
    chunk.writeUInt32BE(crc32(chunk.subarray(0, 17)), 17);
    return [...chunk];
  };

  test('[FD8] the type is other only because of the damage: valid numbers in its place make it an image', async () => {
    const facts: ContentFacts = {
      contentType: 'image/png',
      metadata: { type: 'image', width: 7, height: 9 },
    };
    expect(await scratch.inspect(await patched('palette.png', 12, ihdr(7, 9)))).toEqual(facts);
  });

  test.each([
    ['a PNG of no width', 'palette.png', 12, ihdr(0, 9)],
    ['a PNG of no height', 'palette.png', 12, ihdr(7, 0)],
    ['a PNG of a negative width', 'palette.png', 12, ihdr(0x80_00_00_00, 9)],
    ['a PNG of a wrong checksum', 'palette.png', 19, [0x44]],
    ['a PNG with another line end', 'palette.png', 4, [0x0a, 0x0a]],
    ['a GIF of no width', 'still.gif', 6, [0, 0]],
    ['a GIF of no height', 'still.gif', 8, [0, 0]],
    ['a GIF of another version', 'still.gif', 4, [0x38]],
    ['a lossy WebP of no width', 'lossy.webp', 26, [0, 0xc0]],
    ['a lossy WebP without a start code', 'lossy.webp', 23, [0]],
    ['a lossless WebP without a signature', 'lossless.webp', 20, [0]],
    ['a WebP without a picture', 'lossy.webp', 12, [0x41]],
    ['a bitmap of no width', 'palette.bmp', 18, [0]],
    ['a bitmap of no height', 'palette.bmp', 22, [0]],
    ['a bitmap with another header', 'palette.bmp', 14, [41]],
    ['a bitmap whose pixels are outside', 'palette.bmp', 12, [1]],
    ['a bitmap whose pixels are in its header', 'palette.bmp', 10, [53]],
    ['an icon of no pictures', 'icon.ico', 4, [0]],
    ['an icon whose pictures are outside', 'icon.ico', 16, [1]],
  ] as const)('[FD8] the type is other: %s', async (_, name, offset, values) => {
    expect(await scratch.inspect(await patched(name, offset, values))).toEqual(unknown);
  });

  test('[FD8] the type is other: a JPEG of no height, or whose frame header has a wrong length', async () => {
    const frame = (await fixtureBytes('baseline.jpg')).indexOf(Buffer.from([0xff, 0xc0]));
    const noHeight = await patched('baseline.jpg', frame + 5, [0, 0]);
    const wrongLength = await patched('baseline.jpg', frame + 3, [12]);
    expect(await scratch.inspect(noHeight)).toEqual(unknown);
    expect(await scratch.inspect(wrongLength)).toEqual(unknown);
  });

  test('[FD8] the type is other: a JPEG whose scan begins without a frame header', async () => {
    const jpeg = await fixtureBytes('baseline.jpg');
    const headless = await patched(
      'baseline.jpg',
      jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 1,
      [0xfe],
    );
    const followed = Buffer.concat([headless.subarray(0, -2), jpeg]);
    expect(await scratch.inspect(headless)).toEqual(unknown);
    expect(await scratch.inspect(followed)).toEqual(unknown);
  });

  test('[FD8] the type is other: a JPEG with a segment of no length', async () => {
    const jpeg = await fixtureBytes('baseline.jpg');
    const bytes = Buffer.concat([jpeg.subarray(0, 2), integers(2, 0xffe2, 1), jpeg.subarray(2)]);
    expect(await scratch.inspect(bytes)).toEqual(unknown);
  });

  test('[FD8] the type is other: text that merely begins like a bitmap', async () => {
    expect(await scratch.inspect(Buffer.from('BMP files, and a NUL\0 at the end'))).toEqual(
      unknown,
    );
  });
});

describe('a large file', () => {
  const jpegOf = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
    Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
  const segment = (marker: number, length: number): Buffer => {
    const bytes = Buffer.alloc(2 + length);
    bytes.set([0xff, marker, length >> 8, length & 0xff]);
    return bytes;
  };
  const facts: ContentFacts = {
    contentType: 'image/jpeg',
    metadata: { type: 'image', width: 67, height: 45 },
  };

  test('[FD6] the size is found: a JPEG with 3 MB of other segments before the frame header', async () => {
    const exif = Array.from({ length: 48 }, () => segment(0xe1, 65_535));
    // what they end with looks like a frame header to a reader that does not skip the whole
    for (const bytes of exif) bytes.writeUInt16BE(0xffc0, bytes.length - 2);
    const bytes = jpegOf(await fixtureBytes('progressive.jpg'), ...exif);
    expect(bytes.length).toBeGreaterThan(3_000_000);
    expect(await scratch.inspect(bytes)).toEqual(facts);
  });

  test('[FD6] the size is found: a JPEG whose other tables come before the frame header', async () => {
    const tables = [0xc4, 0xc8, 0xcc, 0xdb, 0xdd].map((marker) => segment(marker, 17));
    const bytes = jpegOf(await fixtureBytes('baseline.jpg'), ...tables);
    expect(await scratch.inspect(bytes)).toEqual(facts);
  });

  test('[FD6] the size is found: a JPEG with fill bytes and stray ones between its segments', async () => {
    const fill = Buffer.from([0xff, 0xff, 0xff, 0xe2, 0, 3, 0, 1, 2, 3, 0xff, 0x00, 0xff, 0x01]);
    expect(await scratch.inspect(jpegOf(await fixtureBytes('baseline.jpg'), fill))).toEqual(facts);
  });

  test('[FD6] the size is found however its icons and rows are ordered', async () => {
    const icon = await fixtureBytes('icon.ico');
    const swapped = Buffer.from(icon);
    swapped.set(icon.subarray(6, 22), 22);
    swapped.set(icon.subarray(22, 38), 6);
    const wide = await patched('icon.ico', 6, [0, 0]); // 256, for which a byte is too small
    const topDown = await fixtureBytes('palette.bmp');
    topDown.writeInt32LE(-45, 22);
    expect((await scratch.inspect(swapped)).metadata).toMatchObject({ width: 32, height: 32 });
    expect((await scratch.inspect(wide)).metadata).toMatchObject({ width: 256, height: 256 });
    expect((await scratch.inspect(topDown)).metadata).toMatchObject({ width: 67, height: 45 });
  });
});

describe('an AVIF picture', () => {
  const extent = (width: number, height: number): Buffer =>
    box('ispe', integers(4, 0, width, height));
  const pictureOf = (primary: Buffer, relations: Buffer): Buffer => {
    const properties = box('ipco', extent(1, 2), box('pixi'), extent(67, 45));
    const meta = box('meta', Buffer.alloc(4), primary, box('iprp', properties, relations));
    return Buffer.concat([box('ftyp', Buffer.from('avif')), meta]);
  };

  // the first item has the wrong size, the second, the primary one, the property 2 and then its size, 3
  test.each([
    [
      'numbers of one byte',
      box('pitm', integers(4, 0), integers(2, 9)),
      box('ipma', integers(4, 0, 2), integers(1, 0, 8, 1, 1), integers(1, 0, 9, 2, 2, 0x80 | 3)),
    ],
    [
      'numbers of two bytes',
      box('pitm', integers(4, 0), integers(2, 9)),
      box(
        'ipma',
        integers(4, 1, 2),
        integers(1, 0, 8, 1, 0, 1),
        integers(1, 0, 9, 2, 0, 2, 0x80, 3),
      ),
    ],
    [
      'items of four bytes',
      box('pitm', integers(4, 0x1_00_00_00), integers(4, 0x9_00_00)),
      box(
        'ipma',
        integers(4, 0x1_00_00_00, 2),
        integers(4, 0x8_00_00),
        integers(1, 1, 1),
        integers(4, 0x9_00_00),
        integers(1, 2, 2, 3),
      ),
    ],
    [
      'relations in two boxes',
      box('pitm', integers(4, 0), integers(2, 9)),
      Buffer.concat([
        box('ipma', integers(4, 0, 1), integers(1, 0, 8, 1, 1)),
        box('ipma', integers(4, 0, 1), integers(1, 0, 9, 1, 3)),
      ]),
    ],
  ])('[FD6] the picture has the size of its primary item: %s', async (_, primary, relations) => {
    expect(await scratch.inspect(pictureOf(primary, relations))).toEqual({
      contentType: 'image/avif',
      metadata: { type: 'image', width: 67, height: 45 },
    });
  });

  test('[FD8] the type is other when its primary item has no size', async () => {
    const primary = box('pitm', integers(4, 0), integers(2, 9));
    const relations = box('ipma', integers(4, 0, 1), integers(1, 0, 9, 1, 2));
    expect(await scratch.inspect(pictureOf(primary, relations))).toEqual(unknown);
  });
});
