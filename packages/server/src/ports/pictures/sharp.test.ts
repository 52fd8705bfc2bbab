import { describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { thumbHashToApproximateAspectRatio, thumbHashToRGBA } from 'thumbhash';
import { join } from 'node:path';
import { photograph } from '@hearth/testing/clients/photograph';
import { animationOf, gifOf, jpegOf } from '../../../test/fixtures/hostile/many-parts.ts';
import { fixturePath } from '@hearth/testing/media/fixtures';
import { jsonLogger } from '../../log/logger.ts';
import { PicturesUnavailableError, type VariantFormat } from './pictures.ts';
import { sharpPictures } from './sharp.ts';

const log = jsonLogger('silent', () => {});
const pictures = sharpPictures({ log });
const hashOf = async (name: string) => pictures.placeholder(fixturePath(name));
const raw = (width: number, height: number) =>
  Buffer.from(Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 7) % 251));

async function variantOf(source: string | Uint8Array, pixels: number, format: VariantFormat) {
  const bytes = await pictures.variant(source, { pixels, format });
  if (bytes === undefined) throw new Error('it could not be decoded');
  return { ...(await sharp(bytes, { animated: true }).metadata()), bytes };
}

describe('a placeholder', () => {
  test.each([
    ...['palette.png', 'interlaced.png', 'animated.apng', 'baseline.jpg', 'progressive.jpg'],
    ...['gray.jpg', 'still.gif', 'animated.gif', 'lossy.webp', 'lossless.webp', 'extended.webp'],
    ...['still.avif', 'alpha.avif', 'grid.avif'],
  ])('[FD11] the placeholder of %s is a ThumbHash', async (name) => {
    const hash = Buffer.from((await hashOf(name)) ?? '', 'base64');
    expect(hash.length).toBeGreaterThan(4);
    expect(() => thumbHashToRGBA(hash)).not.toThrow();
  });

  test.each(['rotated-by-exif.jpg', 'rotated.avif'])(
    '[FD11] the placeholder of %s has its orientation applied',
    async (name) => {
      const hash = Buffer.from((await hashOf(name)) ?? '', 'base64');
      expect(thumbHashToApproximateAspectRatio(hash)).toBeLessThan(1);
    },
  );

  test.each(['video.mkv', 'thumbnail.heic', 'palette.bmp', 'small.tiff', 'sound.mp3'])(
    '[FD11] the placeholder of %s is unknown',
    async (name) => {
      expect(await hashOf(name)).toBeUndefined();
    },
  );

  test('[FD11] the placeholder of a vector picture is unknown', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect(await pictures.placeholder(svg)).toBeUndefined();
  });

  test('[FD11] the placeholder of a picture of very many pixels is unknown', async () => {
    const large = await sharp({
      create: { width: 16_000, height: 4_195, channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer();
    expect(await pictures.placeholder(large)).toBeUndefined();
  });
});

describe('[FS31] a variant', () => {
  test.each([
    ['avif', 'heif'],
    ['webp', 'webp'],
    ['plain', 'jpeg'],
  ] as const)('for readers of %s is %s, with the orientation applied', async (format, made) => {
    const {
      format: found,
      width,
      height,
      orientation,
    } = await variantOf(fixturePath('rotated-by-exif.jpg'), 40, format);
    expect([found, width, height, orientation]).toEqual([made, 27, 40, undefined]);
  });

  test('a variant is a PNG for other readers if it is transparent', async () => {
    const { format, hasAlpha } = await variantOf(fixturePath('alpha.avif'), 40, 'plain');
    expect([format, hasAlpha]).toEqual(['png', true]);
  });

  test('a variant is never larger than the picture', async () => {
    const { width, height } = await variantOf(fixturePath('baseline.jpg'), 1_600, 'webp');
    expect([width, height]).toEqual([67, 45]);
  });

  test('a variant carries no metadata', async () => {
    const source = await sharp(raw(300, 200), { raw: { width: 300, height: 200, channels: 3 } })
      .withExif({ IFD0: { Copyright: 'ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><ada/></x:xmpmeta>')
      .jpeg()
      .toBuffer();
    expect((await sharp(source).metadata()).exif).toBeDefined();
    for (const format of ['avif', 'webp', 'plain'] as const) {
      const { exif, xmp, icc, iptc, bytes } = await variantOf(source, 96, format);
      expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined]);
      expect(Buffer.from(bytes).includes('ada')).toBe(false);
    }
  });

  test('a variant of a short animation stays one, and of a long one is its first picture', async () => {
    const short = await variantOf(fixturePath('animated.gif'), 40, 'avif');
    expect([short.format, short.width, (short.pages ?? 1) > 1]).toEqual(['webp', 40, true]);
    const plain = await variantOf(fixturePath('animated.gif'), 40, 'plain');
    expect(plain.pages ?? 1).toBe(1);
    const strict = sharpPictures({ log, mostAnimatedPixels: 40 * 27 });
    const bytes = await strict.variant(fixturePath('animated.gif'), { pixels: 40, format: 'webp' });
    expect((await sharp(bytes, { animated: true }).metadata()).pages ?? 1).toBe(1);
  });

  test.each(['video.mkv', 'palette.bmp'])('a variant of %s is unknown', async (name) => {
    expect(
      await pictures.variant(fixturePath(name), { pixels: 96, format: 'webp' }),
    ).toBeUndefined();
  });
});

describe('[FS42] a picture that takes too much memory', () => {
  const vast = join(import.meta.dir, '../../../test/fixtures/hostile/vast.avif');

  test('the picture is not decoded, although it is small and has not too many pixels', async () => {
    const { width, height, size } = await sharp(await Bun.file(vast).bytes()).metadata();
    expect([width, height]).toEqual([8_190, 8_190]);
    expect(size).toBeLessThan(2_000);
    expect(await pictures.placeholder(vast)).toBeUndefined();
    for (const format of ['avif', 'webp', 'plain'] as const) {
      expect(await pictures.variant(vast, { pixels: 96, format })).toBeUndefined();
    }
  });

  test.each<[what: string, make: (parts: number) => Buffer | Promise<Buffer>, parts: number]>([
    ['a JPEG of segments', jpegOf, 1_100_000],
    ['a GIF of frames', gifOf, 5_000_000],
    ['a WebP of frames', animationOf, 10_001],
  ])(
    'the picture is not even opened if it consists of very many parts: %s',
    async (_, make, parts) => {
      expect(await pictures.placeholder(await make(parts))).toBeUndefined();
      expect(await pictures.placeholder(await make(100))).toBeDefined();
    },
  );

  test('the picture is not decoded, and the next one is, whatever waits', async () => {
    const bounds = { oneBytes: 20_000_000, allBytes: 20_000_000 };
    const strict = sharpPictures({ log, memory: bounds, bounds: { lanes: 4 } });
    const small = fixturePath('still.avif');
    const large = await photograph({ width: 1_000, height: 1_000 });
    const found = await Promise.all(
      [small, large, small, small].map((source) => strict.placeholder(source)),
    );
    expect(found.map((hash) => hash !== undefined)).toEqual([true, false, true, true]);
  });
});

test('[FD11][FS33] nothing is known about a file that cannot be opened', async () => {
  const missing = fixturePath('missing.png');
  await expect(pictures.placeholder(missing)).rejects.toThrow(PicturesUnavailableError);
  const wish = { pixels: 96, format: 'webp' } as const;
  await expect(pictures.variant(missing, wish)).rejects.toThrow(PicturesUnavailableError);
});

test('[FS42] a picture of another machine is read when it is its turn, and nothing is known of it if that fails', async () => {
  const queue = sharpPictures({ log, bounds: { lanes: 1 } });
  const { promise: bytes, resolve } = Promise.withResolvers<Uint8Array>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let reads = 0;
  const first = queue.placeholder(() => {
    begin();
    return bytes;
  });
  const second = queue.placeholder(async () => {
    reads += 1;
    throw new Error('it is away');
  });
  await begun;
  expect(reads).toBe(0);
  resolve(await Bun.file(fixturePath('still.avif')).bytes());
  expect(await first).toBeDefined();
  await expect(second).rejects.toThrow(PicturesUnavailableError);
  expect(reads).toBe(1);
});
