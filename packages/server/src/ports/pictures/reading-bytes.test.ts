import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { animationOf, jpegOf } from '../../../test/fixtures/hostile/many-parts.ts';
import { readingBytes } from './reading-bytes.ts';

test('[FS42] each segment of a JPEG counts, in any place of the file', async () => {
  const bytes = await jpegOf(600_000);
  const own = await readingBytes(await jpegOf(0));
  const expected = own + 600_000 * (4 * 4 + 512);
  expect(await readingBytes(bytes)).toBe(expected);
  await using folder = await tempFolder();
  const path = join(folder.path, 'a.jpg');
  await writeFile(path, bytes);
  // The pieces in which a file is read overlap.
  const read = await readingBytes(path);
  expect(read).toBeGreaterThanOrEqual(expected);
  expect(read).toBeLessThan(expected + 10_000);
});

test('[FS42] a WebP may have many frames, but not so many that reading it takes forever', async () => {
  expect(await readingBytes(await animationOf(10_000))).toBeLessThan(Infinity);
  expect(await readingBytes(await animationOf(10_001))).toBe(Infinity);
});

test.each([
  ['GIF89a, and more', 9],
  ['anything else', 2],
  ['', 2],
])('[FS42] the bytes of other files count: %j', async (text, each) => {
  expect(await readingBytes(Buffer.from(text))).toBe(each * text.length);
});
