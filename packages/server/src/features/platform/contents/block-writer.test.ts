import { expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { BlockWriter } from './block-writer.ts';

const BLOCK_BYTES = 128 * 1024;

test.each<[what: string, sizes: readonly number[]]>([
  ['nothing', []],
  ['nothing, of empty chunks', [0, 0]],
  ['a few bytes', [1, 2, 3]],
  ['a block', [BLOCK_BYTES]],
  ['two blocks and a byte, a byte beyond each end', [BLOCK_BYTES + 1, BLOCK_BYTES - 1, 1]],
  ['many blocks in one chunk', [10 * BLOCK_BYTES + 5]],
  ['many blocks in chunks of all sizes', [1, 65_536, 0, 700_000, 3, 131_071, 131_073, 900_001]],
])('%s is written in order, whatever happens to its memory', async (_what, sizes) => {
  await using ctx = await openTestContext();
  const blob = await ctx.blobs.create();
  const blocks = new BlockWriter(blob);
  const memory = Buffer.alloc(Math.max(0, ...sizes));
  const hash = createHash('sha256');
  for (const size of sizes) {
    const chunk = randomBytes(size);
    hash.update(chunk);
    memory.set(chunk);
    await blocks.write(memory.subarray(0, size));
  }
  await blocks.end();
  await blob.seal();
  const written = createHash('sha256').update(await readFile(blob.path));
  expect(written.digest('hex')).toBe(hash.digest('hex'));
});

test('a block that cannot be written fails a later write and the end', async () => {
  await using ctx = await openTestContext();
  const blob = await ctx.blobs.create();
  const blocks = new BlockWriter(blob);
  await blob.seal();
  await blocks.write(new Uint8Array(BLOCK_BYTES));
  const sealed = 'the content is sealed';
  await expect(blocks.write(new Uint8Array(BLOCK_BYTES))).rejects.toThrow(sealed);
  await expect(blocks.end()).rejects.toThrow(sealed);
  await blocks.abandon();
  await blob.discard();
});

test('the last bytes that cannot be written fail the end', async () => {
  await using ctx = await openTestContext();
  const blob = await ctx.blobs.create();
  const blocks = new BlockWriter(blob);
  await blocks.write(new Uint8Array(1));
  await blob.seal();
  await expect(blocks.end()).rejects.toThrow('the content is sealed');
});

test('nothing is written after it is abandoned', async () => {
  await using ctx = await openTestContext();
  const blob = await ctx.blobs.create();
  const blocks = new BlockWriter(blob);
  await blocks.write(new Uint8Array(3 * BLOCK_BYTES + 1));
  await blocks.abandon();
  expect(await readFile(blob.path)).toHaveLength(3 * BLOCK_BYTES);
  await blocks.abandon();
  await blob.discard();
});
