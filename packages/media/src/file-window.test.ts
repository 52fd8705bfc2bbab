import { expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { ScratchFile } from '@hearth/testing/media/fixtures';
import { DamagedContent, FileWindow } from './file-window.ts';

const content = Buffer.alloc(100_000);
for (let at = 0; at + 4 <= content.length; at += 4) content.writeUInt32BE(at, at);

test('[FS16] a window returns the bytes at any place, forwards and backwards', async () => {
  await using scratch = ScratchFile.create();
  await writeFile(scratch.path, content);
  await using file = await FileWindow.open(scratch.path, content.length);
  expect(await file.readHead(10)).toEqual(content.subarray(0, 10));
  for (const at of [0, 8, 6, 50_000, 49_998, 4096, 4094, 99_990, 0, 12_345]) {
    expect(await file.read(at, 10)).toEqual(content.subarray(at, at + 10));
  }
  expect(await file.read(1, 6000)).toEqual(content.subarray(1, 6001));
});

test('[FD8] a window returns nothing outside of the file', async () => {
  await using scratch = ScratchFile.create();
  await writeFile(scratch.path, content);
  await using file = await FileWindow.open(scratch.path, content.length);
  expect(await file.readHead(200_000)).toEqual(content);
  for (const [at, length] of [
    [100_000, 1],
    [99_999, 2],
    [2 ** 60, 4],
  ] as const) {
    const outcome = await file.read(at, length).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(DamagedContent);
  }
});
