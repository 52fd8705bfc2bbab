import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { heifPixels } from './heif-pixels.ts';

/** A box with a size. */
function ispe(width: number, height: number): Buffer {
  const box = Buffer.alloc(20);
  box.writeUInt32BE(20, 0);
  box.write('ispe', 4);
  box.writeUInt32BE(width, 12);
  box.writeUInt32BE(height, 16);
  return box;
}

test('[FS42] all sizes in a file count, such as those of tiles and of transparency, in any place of it', async () => {
  const MIB = 1024 ** 2;
  // Two of them lie where the file is read in pieces.
  const parts = [
    ispe(64, 64),
    Buffer.alloc(MIB - 30),
    ispe(8_190, 8_190),
    Buffer.alloc(MIB - 47),
    ispe(100, 10),
  ];
  const whole = Buffer.concat([...parts, Buffer.from('ispe, but it breaks'.slice(0, 8))]);
  const pixels = 64 * 64 + 8_190 * 8_190 + 100 * 10;
  expect(await heifPixels(whole)).toBe(pixels);
  await using folder = await tempFolder();
  const path = join(folder.path, 'a.avif');
  await writeFile(path, whole);
  expect(await heifPixels(path)).toBe(pixels);
  await writeFile(path, '');
  expect(await heifPixels(path)).toBe(0);
});
