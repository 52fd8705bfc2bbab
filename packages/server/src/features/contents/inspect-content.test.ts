import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { open, readdir, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import {
  box,
  element,
  fixtureBytes,
  fixturePath,
  fixtures,
  integers,
  largeBoxHeader,
  ScratchFile,
  unknown,
} from '../../../test/fixtures/media/fixtures.ts';
import { type ContentFacts, inspectContent } from './inspect-content.ts';

let scratch: ScratchFile;
beforeAll(async () => {
  scratch = await ScratchFile.create();
});
afterAll(async () => {
  await scratch[Symbol.asyncDispose]();
});

const plain: ContentFacts = {
  contentType: 'text/plain; charset=utf-8',
  metadata: { type: 'text' },
};
const svg: ContentFacts = { contentType: 'image/svg+xml', metadata: { type: 'text' } };

/** The fixture with the bytes at an offset replaced. */
async function patched(name: string, offset: number, values: readonly number[]): Promise<Buffer> {
  const bytes = await fixtureBytes(name);
  bytes.set(values, offset);
  return bytes;
}

async function expectFixture(name: string): Promise<void> {
  const { size } = await stat(fixturePath(name));
  const facts = fixtures.find((fixture) => fixture.name === name)?.facts;
  expect<unknown>(await inspectContent(fixturePath(name), size, false)).toEqual(facts);
}

const named = (type: string): string[] =>
  fixtures.filter(({ facts }) => facts.metadata.type === type).map(({ name }) => name);

describe('a file', () => {
  test('[FD5] of every fixture is known', async () => {
    const files = (await readdir(fixturePath('.'))).filter((name) => !/\.(sh|ts)$/.test(name));
    expect(files.toSorted()).toEqual(fixtures.map(({ name }) => name).toSorted());
  });

  test.each(named('image'))('[FD6] that is a picture has its stored size: %s', expectFixture);
  test.each(named('video'))('[FD7] that is a video has its displayed size: %s', expectFixture);
  test.each(named('other'))('[FD5] that is neither has the type of its bytes: %s', expectFixture);

  test('[FD5] of unknown bytes is other', async () => {
    expect(await scratch.inspect(Buffer.from([1, 2, 3, 0]))).toEqual(unknown);
    expect(await scratch.inspect(Buffer.alloc(100_000))).toEqual(unknown);
  });

  test('[FD5] may be empty', async () => {
    expect(await scratch.inspect(Buffer.alloc(0))).toEqual(unknown);
    expect(await scratch.inspect(Buffer.alloc(0), true)).toEqual(plain);
  });

  test('[FD5] that cannot be opened throws, for that says nothing of its content', async () => {
    const outcome = await inspectContent(`${scratch.path}-missing`, 10, false).catch(String);
    expect(outcome).toContain('ENOENT');
  });

  test('[FD5] that is shorter than announced is damaged', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    await scratch.inspect(bytes.subarray(0, 100));
    expect(await inspectContent(scratch.path, bytes.length, false)).toEqual(unknown);
  });
});

describe('text', () => {
  test.each([
    'Hearth',
    'BM, GIF and ID3 begin files of other kinds',
    '<!doctype html><title>page</title><script>alert(1)</script>',
    '<!DOCTYPE html><svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html><svg></svg></html>',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
    '<?xml version="1.0"?>\n<rss version="2.0"></rss>',
    '<svgless/>',
    '<svg',
    '< svg>',
    'an <svg> in prose',
    '<!-- <svg> -->',
    '<!-- never closed <svg>',
    '<?never closed <svg>',
    '<!DOCTYPE svg [ never closed <svg>',
    '<!--><svg> is a comment still',
    `${' '.repeat(4096)}<svg/>`,
  ])('[FS22] is plain: %j', async (text) => {
    expect(await scratch.inspect(Buffer.from(text), true)).toEqual(plain);
  });

  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg>',
    '<svg/>',
    '\ufeff \r\n<svg\nwidth="1">',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Generator: > -- <html> -->\n<svg >',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">\n<svg>',
    '<!DOCTYPE svg SYSTEM "svg11.dtd"><svg a="[b]"><rect/></svg>',
    '<?xml version="1.0"?><!DOCTYPE svg [ <!ENTITY a "b>"> ]> <!----> <svg a="[]">',
    `<svg>${'é'.repeat(5000)}</svg>`,
  ])('[FS22] is an SVG picture: %j', async (text) => {
    expect(await scratch.inspect(Buffer.from(text), true)).toEqual(svg);
  });

  test('[FS22] that never ends a prolog is judged in no time', async () => {
    const started = performance.now();
    await scratch.inspect(Buffer.from('<!--<?'.repeat(100_000)), true);
    await scratch.inspect(Buffer.from('<?x?>'.repeat(100_000)), true);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('a binary file', () => {
  test.each([
    ['XML of UTF-16', Buffer.from('\ufeff<?xml version="1.0"?><html/>', 'utf16le')],
    ['XML that is no text', Buffer.from('<?xml version="1.0"?><html/>\0')],
    ['a calendar that is no text', Buffer.from('BEGIN:VCALENDAR\0')],
    ['a Flash movie', Buffer.from('CWS\x0a\0\0\0\0')],
  ])('[FS22] is never served as %s', async (_, bytes) => {
    expect(await scratch.inspect(bytes)).toEqual(unknown);
  });

  test('[FS22] may be a large TIFF whose directory is at its end', async () => {
    const facts: ContentFacts = { contentType: 'image/tiff', metadata: { type: 'other' } };
    for (const start of ['II\x2a\0\x08\0\x01\0', 'MM\0\x2a\0\x01\0\x08']) {
      const bytes = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(70_000)]);
      expect(await scratch.inspect(bytes)).toEqual(facts);
    }
  });
});

describe('a damaged picture', () => {
  const ihdr = (width: number, height: number): number[] => {
    const chunk = Buffer.from('IHDR\0\0\0\0\0\0\0\0\x08\x02\0\0\0\0\0\0\0', 'latin1');
    chunk.writeUInt32BE(width, 4);
    chunk.writeUInt32BE(height, 8);
    chunk.writeUInt32BE(crc32(chunk.subarray(0, 17)), 17);
    return [...chunk];
  };

  test('[FD8] would be none with that header', async () => {
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
  ] as const)('[FD8] is other: %s', async (_, name, offset, values) => {
    expect(await scratch.inspect(await patched(name, offset, values))).toEqual(unknown);
  });

  test('[FD8] is other: a JPEG of no height, or whose frame header has a wrong length', async () => {
    const frame = (await fixtureBytes('baseline.jpg')).indexOf(Buffer.from([0xff, 0xc0]));
    const noHeight = await patched('baseline.jpg', frame + 5, [0, 0]);
    const wrongLength = await patched('baseline.jpg', frame + 3, [12]);
    expect(await scratch.inspect(noHeight)).toEqual(unknown);
    expect(await scratch.inspect(wrongLength)).toEqual(unknown);
  });

  test('[FD8] is other: a JPEG whose scan begins without a frame header', async () => {
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

  test('[FD8] is other: a JPEG with a segment of no length', async () => {
    const jpeg = await fixtureBytes('baseline.jpg');
    const bytes = Buffer.concat([jpeg.subarray(0, 2), integers(2, 0xffe2, 1), jpeg.subarray(2)]);
    expect(await scratch.inspect(bytes)).toEqual(unknown);
  });

  test('[FD8] is other: text that merely begins like a bitmap', async () => {
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

  test('[FD6] has its size: a JPEG with 3 MB of other segments before the frame header', async () => {
    const exif = Array.from({ length: 48 }, () => segment(0xe1, 65_535));
    // what they end with looks like a frame header, for a reader that does not skip the whole
    for (const bytes of exif) bytes.writeUInt16BE(0xffc0, bytes.length - 2);
    const bytes = jpegOf(await fixtureBytes('progressive.jpg'), ...exif);
    expect(bytes.length).toBeGreaterThan(3_000_000);
    expect(await scratch.inspect(bytes)).toEqual(facts);
  });

  test('[FD6] has its size: a JPEG whose other tables come before the frame header', async () => {
    const tables = [0xc4, 0xc8, 0xcc, 0xdb, 0xdd].map((marker) => segment(marker, 17));
    const bytes = jpegOf(await fixtureBytes('baseline.jpg'), ...tables);
    expect(await scratch.inspect(bytes)).toEqual(facts);
  });

  test('[FD6] has its size: a JPEG with fill bytes and stray ones between its segments', async () => {
    const fill = Buffer.from([0xff, 0xff, 0xff, 0xe2, 0, 3, 0, 1, 2, 3, 0xff, 0x00, 0xff, 0x01]);
    expect(await scratch.inspect(jpegOf(await fixtureBytes('baseline.jpg'), fill))).toEqual(facts);
  });

  test('[FD6] has its size however its icons and rows are ordered', async () => {
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

  test('[FD7] has its size: a movie whose description follows 5 GiB', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    const movie = bytes.subarray(bytes.indexOf('moov') - 4);
    const media = 5 * 2 ** 30;
    await scratch.inspect(bytes.subarray(0, bytes.indexOf('ftyp') - 4 + bytes.readUInt32BE(0)));
    await using file = await open(scratch.path, 'r+');
    const start = (await file.stat()).size;
    const header = largeBoxHeader('mdat', BigInt(media));
    await file.write(header, 0, header.length, start);
    await file.write(movie, 0, movie.length, start + media);
    expect(await inspectContent(scratch.path, start + media + movie.length, false)).toEqual({
      contentType: 'video/mp4',
      metadata: { type: 'video', width: 64, height: 48 },
    });
    await file.truncate(0);
  });
});

describe('a movie of several tracks', () => {
  test('[FD7] shows the track that is enabled', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    const at = bytes.indexOf('moov');
    const track = bytes.indexOf('trak') - 4;
    const second = Buffer.from(bytes.subarray(track, track + bytes.readUInt32BE(track)));
    second.writeUInt16BE(32, second.indexOf('avc1') + 28); // its width
    const disabled = Buffer.from(bytes);
    disabled.writeUInt8(2, disabled.indexOf('tkhd') + 7);
    const both = Buffer.concat([
      disabled.subarray(0, track + second.length),
      second,
      disabled.subarray(track + second.length),
    ]);
    both.writeUInt32BE(bytes.readUInt32BE(at - 4) + second.length, at - 4);
    expect((await scratch.inspect(both)).metadata).toMatchObject({ width: 32, height: 48 });
    expect((await scratch.inspect(disabled)).metadata).toMatchObject({ width: 64, height: 48 });
  });
});

describe('a movie', () => {
  const facts: ContentFacts = {
    contentType: 'video/mp4',
    metadata: { type: 'video', width: 64, height: 48 },
  };
  const matrixOf = (quarterTurns: 0 | 1): Buffer =>
    quarterTurns === 0 ? integers(4, 0x1_00_00, 0) : integers(4, 0, 0x1_00_00);
  const headerOf = (version: 0 | 1, matrix: Buffer): Buffer =>
    box('tkhd', integers(1, version, 0, 0, 1), Buffer.alloc(version === 0 ? 36 : 48), matrix);
  const entry = box('avc1', Buffer.alloc(24), integers(2, 64, 48), Buffer.alloc(50));
  const movieOf = (header: Buffer, ...entries: Buffer[]): Buffer => {
    const handler = box('hdlr', Buffer.alloc(8), Buffer.from('vide'));
    const table = box('stsd', integers(4, 0, entries.length), ...entries);
    const media = box('mdia', handler, box('minf', box('stbl', table)));
    return Buffer.concat([
      box('ftyp', Buffer.from('isom')),
      box('moov', box('trak', header, media)),
    ]);
  };

  test.each([0, 1] as const)('[FD7] has its size: track header of version %i', async (version) => {
    const upright = movieOf(headerOf(version, matrixOf(0)), entry);
    const turned = movieOf(headerOf(version, matrixOf(1)), entry);
    expect(await scratch.inspect(upright)).toEqual(facts);
    expect((await scratch.inspect(turned)).metadata).toMatchObject({ width: 48, height: 64 });
  });

  test('[FD8] that describes no samples is other', async () => {
    expect(await scratch.inspect(movieOf(headerOf(0, matrixOf(0))))).toEqual(unknown);
  });

  test('[FD7] has its size: a box that reaches to the end of the file', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    bytes.writeUInt32BE(0, bytes.indexOf('moov') - 4);
    expect(await scratch.inspect(bytes)).toEqual(facts);
  });

  test('[FD7] has its size: a box with a size of 64 bits', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    const at = bytes.indexOf('moov');
    const header = largeBoxHeader('moov', BigInt(bytes.readUInt32BE(at - 4) + 8));
    const parts = [bytes.subarray(0, at - 4), header, bytes.subarray(at + 4)];
    expect(await scratch.inspect(Buffer.concat(parts))).toEqual(facts);
  });

  test('[FD5] has no size without pictures, whatever ends its list of boxes', async () => {
    const bytes = await fixtureBytes('sound.mp4');
    const at = bytes.indexOf('moov') - 4;
    const end = at + bytes.readUInt32BE(at);
    bytes.writeUInt32BE(end - at + 4, at);
    const parts = [bytes.subarray(0, end), Buffer.alloc(4), bytes.subarray(end)];
    expect(await scratch.inspect(Buffer.concat(parts))).toEqual({
      contentType: 'video/mp4',
      metadata: { type: 'other' },
    });
  });

  test('[FD7] has its size although it gives its pixels no shape', async () => {
    const bytes = await fixtureBytes('wide-pixels.mp4');
    bytes.fill(0, bytes.indexOf('pasp') + 4, bytes.indexOf('pasp') + 12);
    expect(await scratch.inspect(bytes)).toEqual(facts);
  });
});

describe('a Matroska file', () => {
  const trackOf = (isEnabled: number, width: number): Buffer => {
    const picture = element(
      0xe0,
      element(0xb0, integers(2, width)),
      element(0xba, integers(1, 48)),
    );
    return element(
      0xae,
      element(0x83, integers(1, 1)),
      element(0xb9, integers(1, isEnabled)),
      picture,
    );
  };
  const fileOf = (...tracks: Buffer[]): Buffer =>
    Buffer.concat([
      element(0x1a45dfa3, element(0x4282, Buffer.from('webm'))),
      element(0x18538067, element(0x1654ae6b, element(0xec), ...tracks)),
    ]);

  test('[FD7] shows the track that is enabled', async () => {
    const both = await scratch.inspect(fileOf(trackOf(0, 64), trackOf(1, 32)));
    const disabled = await scratch.inspect(fileOf(trackOf(0, 64), trackOf(0, 32)));
    expect(both.metadata).toMatchObject({ width: 32, height: 48 });
    expect(disabled.metadata).toMatchObject({ width: 64, height: 48 });
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
  ])('[FD6] has the size of its primary item: %s', async (_, primary, relations) => {
    expect(await scratch.inspect(pictureOf(primary, relations))).toEqual({
      contentType: 'image/avif',
      metadata: { type: 'image', width: 67, height: 45 },
    });
  });

  test('[FD8] is other when its primary item has no size', async () => {
    const primary = box('pitm', integers(4, 0), integers(2, 9));
    const relations = box('ipma', integers(4, 0, 1), integers(1, 0, 9, 1, 2));
    expect(await scratch.inspect(pictureOf(primary, relations))).toEqual(unknown);
  });
});

test('[FS16] no file stays open', async () => {
  const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
  if (process.platform !== 'linux') return;
  await scratch.inspect(await fixtureBytes('palette.png'));
  const before = await openFiles();
  for (const { name } of fixtures) {
    const bytes = await fixtureBytes(name);
    await scratch.inspect(bytes);
    await scratch.inspect(bytes.subarray(0, bytes.length / 2));
    await scratch.inspect(bytes, true);
  }
  expect(await openFiles()).toBeLessThanOrEqual(before);
});
