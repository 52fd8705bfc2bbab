import { fixturePath } from '@hearth/testing/media/fixtures';
import { tempFolder, type TempFolder } from '@hearth/testing/temp-folder';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { gifOf, jpegOf } from '../../../test/fixtures/hostile/many-parts.ts';
import { decodedBytes, type MadePicture } from './decoded-bytes.ts';
import { readingBytes } from './reading-bytes.ts';

const SIDE = 2_048;
const VAST = join(import.meta.dir, '../../../test/fixtures/hostile/vast.avif');

let folder: TempFolder;
beforeAll(async () => {
  folder = await tempFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Makes variants of these pictures at once in a process of its own: how much its memory grows, and how many it makes. */
async function growth(paths: readonly string[], format: MadePicture['format']) {
  const program = `
    const { sharpPictures } = require(${JSON.stringify(join(import.meta.dir, 'sharp.ts'))});
    const log = { error() {}, warn() {}, info() {}, debug() {} };
    const pictures = sharpPictures({ log, bounds: { waitMs: 600_000 } });
    const make = (source) => ${format === 'raw' ? 'pictures.placeholder(source)' : `pictures.variant(source, { pixels: 1_600, format: '${format}' })`};
    // maxRSS of resourceUsage() begins with that of the process that started this one.
    const status = () => require('node:fs').readFileSync('/proc/self/status', 'utf8');
    const peak = () => Number(/VmHWM:\\s*(\\d+)/.exec(status())[1]) * 1024;
    (async () => {
      // The library is loaded once and stays in memory.
      await make(${JSON.stringify(fixturePath('still.avif'))});
      const before = peak();
      const made = await Promise.all(${JSON.stringify(paths)}.map(make));
      console.log(JSON.stringify({ grown: peak() - before, made: made.filter((one) => one !== undefined).length }));
    })();`;
  await using running = Bun.spawn([process.execPath, '--eval', program]);
  const { grown, made }: { readonly grown: number; readonly made: number } = JSON.parse(
    await new Response(running.stdout).text(),
  );
  return { grown, made };
}

const canvas = () => {
  const background = { r: 90, g: 120, b: 200, alpha: 0.5 };
  return sharp({ create: { width: SIDE, height: SIDE, channels: 4, background } });
};

describe('[FS42] the estimate is at least what is measured', () => {
  test.each<[what: string, make: () => Sharp]>([
    ['jpeg', () => canvas().jpeg()],
    ['jpeg', () => canvas().jpeg({ progressive: true, chromaSubsampling: '4:4:4' })],
    ['jpeg', () => canvas().toColourspace('cmyk').jpeg({ progressive: true })],
    ['png', () => canvas().png({ compressionLevel: 1 })],
    ['png', () => canvas().toColourspace('rgb16').png({ compressionLevel: 1, progressive: true })],
    ['gif', () => canvas().gif({ effort: 1 })],
    ['webp', () => canvas().webp({ effort: 0 })],
    ['webp', () => canvas().webp({ effort: 0, lossless: true })],
    ['heif', () => canvas().avif({ effort: 0, chromaSubsampling: '4:2:0' })],
    ['heif', () => canvas().avif({ effort: 0, bitdepth: 12 })],
  ])('for a %s', async (format, make) => {
    const path = join(folder.path, crypto.randomUUID());
    await make().withMetadata({ orientation: 6 }).toFile(path);
    for (const made of ['raw', 'webp', 'avif', 'plain'] as const) {
      const { grown } = await growth([path], made);
      const pixels = made === 'raw' ? 100 ** 2 : 1_600 ** 2;
      const facts = { format, codedPixels: SIDE ** 2, frames: 1 };
      expect(grown).toBeLessThan(decodedBytes(facts, { format: made, pixels }));
    }
  });

  test.each([
    ['jpeg', () => jpegOf(700_000)],
    ['gif', async () => gifOf(3_000_000)],
  ])('for a %s of very many parts', async (format, make) => {
    const path = join(folder.path, crypto.randomUUID());
    await Bun.write(path, await make());
    const { grown } = await growth([path], 'raw');
    const facts = { format, codedPixels: 67 * 45, frames: 1 };
    const made = { format: 'raw', pixels: 100 ** 2 } as const;
    const estimate = (await readingBytes(path)) + decodedBytes(facts, made);
    expect(grown).toBeLessThan(estimate);
    expect(grown).toBeGreaterThan(estimate / 3);
  });
});

test('[FS42] pictures of few bytes and many pixels take no memory, however many there are', async () => {
  const { grown, made } = await growth(
    Array.from({ length: 20 }, () => VAST),
    'webp',
  );
  expect(made).toBe(0);
  expect(grown).toBeLessThan(60_000_000);
});
