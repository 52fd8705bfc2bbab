import { runs } from '@hearth/testing/runs';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { box, fixtureBytes, fixtures, integers, ScratchFile } from '@hearth/testing/media/fixtures';
import { readPieces } from './plan.ts';
import { planStrip } from './strip-content.ts';

const scratch = ScratchFile.forTests();
const SECRET = 'N 51 30 secret W 0 7';

/** The bytes that are stored in place of these. */
async function stripped(bytes: Uint8Array): Promise<Buffer> {
  await writeFile(scratch.path, bytes);
  const pieces = await planStrip(scratch.path, bytes.length);
  if (pieces === undefined) return Buffer.from(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of readPieces(scratch.path, pieces)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const drawn = () =>
  sharp(Buffer.from(Uint8Array.from({ length: 48 * 32 * 3 }, (_, at) => (at * 31) % 256)), {
    raw: { width: 48, height: 32, channels: 3 },
  })
    .withExif({ IFD0: { Copyright: SECRET }, IFD3: { GPSLatitudeRef: 'N', GPSMapDatum: SECRET } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`);
const turned = (orientation: number) =>
  drawn()
    .withMetadata({ orientation })
    .withExifMerge({ IFD0: { Copyright: SECRET } });

const segment = (marker: number, data: string) => {
  const body = Buffer.from(data, 'latin1');
  return Buffer.concat([Buffer.from([0xff, marker]), integers(2, body.length + 2), body]);
};
const chunk = (type: string, data: string) => {
  const body = Buffer.from(type + data, 'latin1');
  return Buffer.concat([integers(4, data.length), body, integers(4, crc32(body))]);
};
const inserted = (bytes: Buffer, at: number, ...added: readonly Uint8Array[]) =>
  Buffer.concat([bytes.subarray(0, at), ...added, bytes.subarray(at)]);
const trailer = Buffer.from(`a second file ${SECRET}`);

const SOURCES: Readonly<Record<string, () => Promise<Buffer>>> = {
  'a JPEG': async () =>
    inserted(
      Buffer.concat([
        await drawn().keepIccProfile().withIccProfile('p3').jpeg().toBuffer(),
        trailer,
      ]),
      2,
      segment(0xfe, SECRET),
      segment(0xed, `Photoshop 3.0\0 ${SECRET}`),
      segment(0xe2, `MPF\0 ${SECRET}`),
      segment(0xe5, SECRET),
    ),
  'a progressive JPEG': async () =>
    Buffer.concat([await drawn().jpeg({ progressive: true }).toBuffer(), trailer]),
  'a PNG': async () =>
    inserted(
      Buffer.concat([await drawn().withIccProfile('p3').png().toBuffer(), trailer]),
      33,
      chunk('tEXt', `Comment\0${SECRET}`),
      chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${SECRET}`),
      chunk('prIV', SECRET),
      chunk('tIME', '\x07\xea\x0b\x17\x04\x00\x00'),
    ),
  'a WebP': async () =>
    Buffer.concat([await drawn().withIccProfile('p3').webp().toBuffer(), trailer]),
  'a lossless WebP': () => drawn().webp({ lossless: true }).toBuffer(),
  'an AVIF': async () =>
    Buffer.concat([await drawn().avif({ effort: 0 }).toBuffer(), box('sefd', trailer)]),
  'a GIF': async () => {
    const gif = await fixtureBytes('animated.gif');
    const at = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1);
    const text = Buffer.concat([Buffer.of(SECRET.length), Buffer.from(SECRET), Buffer.of(0)]);
    const comment = Buffer.concat([Buffer.of(0x21, 0xfe), text]);
    const data = Buffer.concat([Buffer.from('!\xff\x0bXMP DataXMP', 'latin1'), text]);
    return Buffer.concat([inserted(gif, at, comment, data), trailer]);
  },
};

/** The bytes of a box whose header is at `at`, without its header. */
const contentAt = (bytes: Buffer, at: number) =>
  bytes.subarray(at + 8, at + bytes.readUInt32BE(at));

/** Returns the file with more boxes in the last box that is reached by following these types. */
function withInside(
  bytes: Buffer,
  [type, ...types]: readonly string[],
  ...added: readonly Uint8Array[]
): Buffer {
  if (type === undefined) return Buffer.concat([bytes, ...added]);
  const parts: Buffer[] = [];
  let wasFound = false;
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const isIt: boolean = !wasFound && bytes.toString('latin1', at + 4, at + 8) === type;
    wasFound ||= isIt;
    const content = contentAt(bytes, at);
    const versionBytes = type === 'meta' ? 4 : 0;
    parts.push(
      isIt
        ? box(
            type,
            content.subarray(0, versionBytes),
            withInside(content.subarray(versionBytes), types, ...added),
          )
        : bytes.subarray(at, at + bytes.readUInt32BE(at)),
    );
  }
  if (!wasFound) throw new Error(`no box ${type}`);
  return Buffer.concat(parts);
}

const HOLDING = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'mvex', 'moof', 'traf', 'mfra'];

/** The boxes of a file that hold no others, as far as {@link HOLDING} knows, with their headers. */
function leavesOf(
  bytes: Buffer,
  span = { from: 0, to: bytes.length },
): readonly { readonly type: string; readonly from: number; readonly to: number }[] {
  const leaves = [];
  for (let at = span.from; span.to - at >= 8; at += bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const to = at + bytes.readUInt32BE(at);
    if (HOLDING.includes(type)) leaves.push(...leavesOf(bytes, { from: at + 8, to }));
    else leaves.push({ type, from: at, to });
  }
  return leaves;
}

const pixelsOf = (bytes: Buffer) =>
  sharp(bytes, { animated: true, failOn: 'none' }).autoOrient().raw().toBuffer();

describe('[FS34] stripping', () => {
  test.each(Object.keys(SOURCES))(
    '%s keeps its pixels and colours, and no metadata',
    async (name) => {
      const bytes = (await SOURCES[name]?.()) ?? Buffer.of();
      expect(bytes.includes(SECRET)).toBe(true);
      const result = await stripped(bytes);
      expect(result.includes('secret')).toBe(false);
      expect((await pixelsOf(result)).equals(await pixelsOf(bytes))).toBe(true);
      const [before, after] = [await sharp(bytes).metadata(), await sharp(result).metadata()];
      expect(after.icc).toEqual(before.icc);
      // In an AVIF the place of XMP stays, and is empty.
      expect([...(after.xmp ?? []), ...(after.iptc ?? [])].every((byte) => byte === 0)).toBe(true);
      expect(await stripped(result)).toEqual(result);
    },
  );

  test.each([2, 3, 6, 8])(
    'a picture keeps orientation %d, and nothing else of Exif',
    async (orientation) => {
      for (const bytes of [
        await turned(orientation).jpeg().toBuffer(),
        await turned(orientation).png().toBuffer(),
        await turned(orientation).webp().toBuffer(),
      ]) {
        expect(bytes.includes(SECRET)).toBe(true);
        const result = await stripped(bytes);
        expect(result.includes('secret')).toBe(false);
        expect((await sharp(result).metadata()).orientation).toBe(orientation);
        expect((await pixelsOf(result)).equals(await pixelsOf(bytes))).toBe(true);
        expect(await stripped(result)).toEqual(result);
      }
    },
  );

  test('everything in a video that says where and when it was made is emptied, and nothing is moved', async () => {
    const movie = await fixtureBytes('moov-last.mp4');
    const at = movie.indexOf('moov') - 4;
    const place = box('udta', box('\xa9xyz', Buffer.from(SECRET)));
    const keys = box('meta', Buffer.from(SECRET));
    const moov = box('moov', movie.subarray(at + 8, at + movie.readUInt32BE(at)), place, keys);
    const rest = movie.subarray(at + movie.readUInt32BE(at));
    const bytes = Buffer.concat([movie.subarray(0, at), moov, rest, box('uuid', trailer)]);
    const times = bytes.indexOf('mvhd') + 8;
    bytes.writeUInt32BE(3_900_000_000, times);
    const result = await stripped(bytes);
    expect(result.length).toBe(bytes.length);
    expect(result.includes('secret')).toBe(false);
    expect(result.readUInt32BE(times)).toBe(0);
    const data = movie.indexOf('mdat');
    expect(result.subarray(data, at)).toEqual(movie.subarray(data, at));
    expect(await scratch.inspect(result)).toEqual(await scratch.inspect(bytes));
    expect(await stripped(result)).toEqual(result);
  });

  test.each(['meta', 'camm'])(
    'the measurements of a camera (%s) in a video are emptied, and its pictures left',
    async (kind) => {
      const samples = Buffer.from(`${SECRET}${SECRET}`);
      const full = (type: string, ...contents: readonly Uint8Array[]) =>
        box(type, integers(4, 0), ...contents);
      const track = (handler: string, at: number, sizes: Uint8Array) =>
        box(
          'trak',
          box(
            'mdia',
            full('hdlr', integers(4, 0), Buffer.from(handler), integers(4, 0, 0, 0)),
            box(
              'minf',
              box(
                'stbl',
                full('stsc', integers(4, 1, 1, 2, 1)),
                full('stsz', sizes),
                full('stco', integers(4, 1, at)),
              ),
            ),
          ),
        );
      for (const sizes of [
        integers(4, SECRET.length, 2),
        integers(4, 0, 2, SECRET.length, SECRET.length),
      ]) {
        const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom'));
        const mdat = box('mdat', samples, Buffer.from('pictures'));
        const at = ftyp.length + 8;
        const bytes = Buffer.concat([ftyp, mdat, box('moov', track(kind, at, sizes))]);
        const result = await stripped(bytes);
        expect(result.includes('secret')).toBe(false);
        expect(result.includes('pictures')).toBe(true);
        expect(result.includes('trak')).toBe(false);
        const other = Buffer.concat([ftyp, mdat, box('moov', track('vide', at, sizes))]);
        expect(await stripped(other)).toEqual(other);
      }
    },
  );

  const unknown = ['gps ', 'xyz ', 'free', 'skip', 'wide', 'uuid', '\0\0\0\0'].map((type) =>
    box(type, Buffer.from(SECRET)),
  );

  test.each([
    'moov',
    'moov/trak',
    'moov/trak/edts',
    'moov/trak/mdia',
    'moov/trak/mdia/minf',
    'moov/trak/mdia/minf/stbl',
  ])('unknown boxes and padding of a video are emptied in %s', async (path) => {
    for (const name of ['moov-last.mp4', 'quicktime.mov']) {
      const movie = await fixtureBytes(name);
      const bytes = withInside(movie, path.split('/'), ...unknown);
      expect(bytes.length).toBeGreaterThan(movie.length);
      const result = await stripped(bytes);
      expect(result.length).toBe(bytes.length);
      expect(result.includes('secret')).toBe(false);
      expect(await scratch.inspect(result)).toEqual(await scratch.inspect(movie));
      expect(await stripped(result)).toEqual(result);
    }
  });

  test('unknown boxes and padding of a fragmented video are emptied', async () => {
    const movie = await fixtureBytes('fragmented.mp4');
    for (const path of [['moov', 'mvex'], ['moof'], ['moof', 'traf'], ['mfra']]) {
      const result = await stripped(withInside(movie, path, ...unknown));
      expect(result.includes('secret')).toBe(false);
      expect(result.includes('trun')).toBe(true);
    }
  });

  test.each(['moov-last.mp4', 'still.avif'])(
    'unknown boxes, padding, times and further metadata of %s are emptied beside what is shown',
    async (name) => {
      const bytes = await fixtureBytes(name);
      const others = ['pnot', 'prft', 'meta'].map((type) => box(type, Buffer.from(SECRET)));
      const longer = Buffer.concat([bytes, ...unknown, ...others]);
      const result = await stripped(longer);
      expect(result.length).toBe(longer.length);
      expect(result.subarray(bytes.length).includes('secret')).toBe(false);
      expect(await scratch.inspect(result)).toEqual(await scratch.inspect(bytes));
      expect(await stripped(result)).toEqual(result);
    },
  );

  test('unknown boxes, padding and descriptions in the metadata of an AVIF are emptied', async () => {
    const avif = await fixtureBytes('still.avif');
    const descriptions = ['udes', 'altt', 'crtt', 'mdft', 'uuid'].map((type) =>
      box(type, Buffer.from(SECRET)),
    );
    for (const bytes of [
      withInside(avif, ['meta'], ...unknown, box('xml ', Buffer.from(SECRET))),
      withInside(avif, ['meta', 'iprp'], ...unknown),
      withInside(avif, ['meta', 'iprp', 'ipco'], ...descriptions),
    ]) {
      const result = await stripped(bytes);
      expect(result.length).toBe(bytes.length);
      expect(result.includes('secret')).toBe(false);
      expect(await scratch.inspect(result)).toEqual(await scratch.inspect(avif));
      expect(await stripped(result)).toEqual(result);
    }
  });

  test('a video whose boxes are compressed is left as it is', async () => {
    const ftyp = box('ftyp', Buffer.from('qt  \0\0\0\0qt  '));
    const bytes = Buffer.concat([ftyp, box('moov', box('cmov', Buffer.from('compressed')))]);
    expect(await stripped(bytes)).toEqual(bytes);
  });

  test.each(fixtures.map(({ name }) => name).filter((name) => /\.(mp4|mov|avif|heic)$/.test(name)))(
    'of %s changes only what is named here',
    async (name) => {
      const bytes = await fixtureBytes(name);
      const result = await stripped(bytes);
      expect(result.length).toBe(bytes.length);
      const removed = new Set(['udta', 'free', 'wide', 'mvhd', 'tkhd', 'mdhd']);
      const changed = leavesOf(bytes).filter(
        ({ from, to }) => !result.subarray(from, to).equals(bytes.subarray(from, to)),
      );
      expect(changed.map(({ type }) => type).filter((type) => !removed.has(type))).toEqual([]);
      expect(leavesOf(result).map(({ type }) => type)).toEqual(
        leavesOf(bytes).map(({ type }) => (type === 'udta' ? 'free' : type)),
      );
    },
  );

  test.each(fixtures.map(({ name }) => name))('of %s leaves what it shows', async (name) => {
    const bytes = await fixtureBytes(name);
    const result = await stripped(bytes);
    expect(await scratch.inspect(result)).toEqual(await scratch.inspect(bytes));
    expect(await stripped(result)).toEqual(result);
  });

  test.each([
    '',
    'good evening',
    '\xff\xd8',
    '\xff\xd8\xff',
    'GIF89a',
    '\x89PNG\r\n\x1a\n',
    'RIFF\0\0\0\0WEBP',
  ])('the content %j is left as it is', async (text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(await stripped(bytes)).toEqual(bytes);
  });
});

describe('[FS34] hostile bytes', () => {
  test('bytes are left as they are if they are of no known format', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await stripped(bytes)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: runs(200) },
    );
  });

  test('no bytes make stripping fail, and none make a file longer', async () => {
    const seeds = await Promise.all([
      ...Object.values(SOURCES).map((make) => make()),
      ...fixtures.map(({ name }) => fixtureBytes(name)),
    ]);
    const change = fc.record({
      at: fc.nat(),
      byte: fc.nat({ max: 255 }),
      span: fc.nat({ max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: seeds.length - 1 }),
        fc.array(change, { minLength: 1, maxLength: 12 }),
        fc.option(fc.nat()),
        async (seed, changes, end) => {
          const bytes = Buffer.from(seeds[seed] ?? []);
          for (const { at, byte, span } of changes) {
            // Most structure is at the beginning.
            const from = at % (span === 0 ? bytes.length : Math.min(bytes.length, 2_000));
            bytes.subarray(from, from + span + 1).fill(byte);
          }
          const cut = end === null ? bytes : bytes.subarray(0, end % (bytes.length + 1));
          const result = await stripped(cut);
          expect(result.length).toBeLessThanOrEqual(cut.length + 64);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
