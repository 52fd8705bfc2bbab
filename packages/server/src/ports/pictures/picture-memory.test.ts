import { expect, test } from 'bun:test';
import { decodedBytes } from './decoded-bytes.ts';
import { memoryBounds, PictureMemory } from './picture-memory.ts';

const MIB = 1024 ** 2;

test('[FS42] pictures may take a quarter of the memory of the process, within bounds', () => {
  for (const [limit, all, one] of [
    [256, 128, 128],
    [1_024, 256, 256],
    [65_536, 768, 512],
  ] as const) {
    const bounds = { allBytes: all * MIB, oneBytes: one * MIB };
    expect(memoryBounds(limit * MIB)).toEqual(bounds);
  }
});

test('[FS42] a picture that takes more than one picture may is refused, and another waits until there is enough memory', async () => {
  const memory = new PictureMemory({ oneBytes: 5, allBytes: 8 });
  await expect(memory.take(6)).rejects.toThrow('too much memory');
  const first = await memory.take(5);
  let hasSecond = false;
  const second = memory.take(5).then(() => (hasSecond = true));
  await Promise.resolve();
  expect(hasSecond).toBe(false);
  first[Symbol.dispose]();
  await second;
});

test('[FS42] photographs of usual sizes are decoded on a machine of 2 GB, and none of a format that is not measured', () => {
  const { oneBytes } = memoryBounds(2_048 * MIB);
  const largest = { format: 'avif', pixels: 1_600 * 1_200 } as const;
  const needed = (format: string, width: number, height: number) =>
    decodedBytes({ format, codedPixels: width * height, frames: 1 }, largest);
  expect(needed('jpeg', 4_032, 3_024)).toBeLessThan(oneBytes);
  expect(needed('jpeg', 6_000, 4_000)).toBeLessThan(oneBytes);
  expect(needed('png', 3_840, 2_160)).toBeLessThan(oneBytes);
  expect(needed('heif', 3_840, 2_160)).toBeLessThan(oneBytes);
  expect(needed('heif', 8_190, 8_190)).toBeGreaterThan(oneBytes);
  expect(needed('tiff', 1, 1)).toBe(Infinity);
});
