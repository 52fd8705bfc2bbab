import { describe, expect, test } from 'bun:test';
import { open } from 'node:fs/promises';
import { fixtureBytes, integers, ScratchFile, unknown } from '@hearth/testing/media/fixtures';
import { expectSane } from '../test/expect-sane.ts';
import { inspectContent } from './inspect-content.ts';

const scratch = ScratchFile.forTests();
describe('a picture made to do harm', () => {
  test('[FD6] a picture is read for a bounded time: a JPEG of 1,000 segments is, one of 2,000 is not', async () => {
    const jpeg = await fixtureBytes('baseline.jpg');
    for (const count of [1000, 2000]) {
      await using file = await open(scratch.path, 'w');
      const length = 65_537;
      await file.write(jpeg, 0, 2, 0);
      for (let index = 0; index < count; index += 1) {
        await file.write(Buffer.from([0xff, 0xe2, 0xff, 0xff]), 0, 4, 2 + index * length);
      }
      await file.write(jpeg, 2, jpeg.length - 2, 2 + count * length);
      const { metadata } = await inspectContent(scratch.path, (await file.stat()).size, false);
      expect(metadata.type).toBe(count === 1000 ? 'image' : 'other');
    }
  });

  test('[FD6] a picture is read for a bounded time: a JPEG of 50,000 stray bytes is, one of 200,000 is not', async () => {
    const jpeg = await fixtureBytes('baseline.jpg');
    const strayed = async (count: number): Promise<string> => {
      const bytes = [jpeg.subarray(0, 4), integers(2, 2), Buffer.alloc(count), jpeg.subarray(2)];
      return (await scratch.inspect(Buffer.concat(bytes))).metadata.type;
    };
    expect([await strayed(50_000), await strayed(200_000)]).toEqual(['image', 'other']);
  });

  test('[FD8] the type is other: a JPEG of stray bytes without end', async () => {
    expect(
      await scratch.inspect(
        Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(1_000_000, 0xff)]),
      ),
    ).toEqual(unknown);
  });

  test('[FD8] the type is other: an AVIF that relates 2^32 items to properties, none its own', async () => {
    const bytes = await fixtureBytes('still.avif');
    const relations = bytes.indexOf('ipma');
    bytes.writeUInt32BE(0xff_ff_ff_ff, relations + 8);
    bytes.writeUInt16BE(77, relations + 12);
    expect(await scratch.inspect(bytes)).toEqual(unknown);
  });

  test('[FD5] a picture is not read like an archive for long: 1,024 entries of unknown size', async () => {
    const entry = Buffer.alloc(64);
    entry.write('PK\x03\x04', 'latin1');
    entry.writeUInt16LE(8, 6); // the size follows the data
    entry.writeUInt16LE(8, 8);
    entry.writeUInt16LE(34, 26);
    expectSane(await scratch.inspect(Buffer.alloc(200_000, entry)));
  });
});
