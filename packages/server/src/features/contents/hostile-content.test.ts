import { beforeAll, describe, expect, test } from 'bun:test';
import { open } from 'node:fs/promises';
import fc from 'fast-check';
import {
  fixtureBytes,
  fixtures,
  integers,
  ScratchFile,
  unknown,
} from '../../../test/fixtures/media/fixtures.ts';
import { type ContentFacts, inspectContent } from './inspect-content.ts';

const scratch = ScratchFile.forTests();
let originals: readonly { readonly name: string; readonly bytes: Buffer }[];
beforeAll(async () => {
  originals = await Promise.all(
    fixtures.map(async ({ name }) => ({ name, bytes: await fixtureBytes(name) })),
  );
});

/** What must hold for any bytes. */
function expectSane({ contentType, metadata }: ContentFacts): void {
  expect(contentType).toMatch(
    /^(application|audio|font|image|model|video)\/[\w.+-]+(; codecs=opus)?$/,
  );
  expect(contentType).not.toMatch(/xml|html|script$/);
  if (metadata.type !== 'image' && metadata.type !== 'video') {
    expect(metadata).toEqual({ type: 'other' });
    return;
  }
  for (const side of [metadata.width, metadata.height]) {
    expect(Number.isInteger(side) && side >= 1 && side < 2 ** 31).toBe(true);
  }
}

describe('content that was damaged', () => {
  test('[FD8] by being cut off is other or keeps its type', async () => {
    for (const { bytes } of originals) {
      await scratch.inspect(bytes);
      await using file = await open(scratch.path, 'r+');
      for (let length = bytes.length; length > 0; length -= length > 300 ? 31 : 1) {
        await file.truncate(length);
        expectSane(await inspectContent(scratch.path, length, false));
      }
    }
  });

  test('[FD8] by flipped bits is other or has a positive size', async () => {
    const flips = fc.array(fc.record({ at: fc.nat(), bit: fc.nat(7) }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(originals.length - 1), flips, async (index, places) => {
        const bytes = Buffer.from(originals[index]?.bytes ?? []);
        for (const { at, bit } of places) {
          // most of what is read is near the beginning or, as in a movie, near the end
          const place = at % 3 === 0 ? at % bytes.length : at % Math.min(bytes.length, 300);
          bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
        }
        expectSane(await scratch.inspect(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  test('[FD8] by extreme numbers is other or has a positive size', async () => {
    for (const { bytes } of originals) {
      for (let at = 0; at + 4 <= Math.min(bytes.length, 700); at += 4) {
        for (const worst of [0, 0xff_ff_ff_ff]) {
          const damaged = Buffer.from(bytes);
          damaged.writeUInt32BE(worst, at);
          expectSane(await scratch.inspect(damaged));
        }
      }
    }
  });

  test('[FD8] by random data after its first bytes is other or has a positive size', async () => {
    const magic = fc
      .nat(originals.length - 1)
      .chain((index) =>
        fc.nat(64).map((length) => originals[index]?.bytes.subarray(0, length) ?? Buffer.alloc(0)),
      );
    const starts = fc
      .constantFrom(
        'PK\x03\x04',
        'ID3\x03\0\0',
        'OggS',
        'RIFF',
        '\x1f\x8b\x08',
        '%PDF',
        'BM',
        '\0\0\x01\0',
        'FLV',
        '<?xml',
        '8BPS',
        'MM\0*',
      )
      .map((text) => Buffer.from(text, 'latin1'));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(magic, starts),
        fc.uint8Array({ maxLength: 4000 }),
        async (start, rest) => {
          expectSane(await scratch.inspect(Buffer.concat([start, rest])));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('a picture made to do harm', () => {
  test('[FD6] is read for a bounded time: a JPEG of 1,000 segments is, one of 2,000 is not', async () => {
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

  test('[FD6] is read for a bounded time: a JPEG of 50,000 stray bytes is, one of 200,000 is not', async () => {
    const jpeg = await fixtureBytes('baseline.jpg');
    const strayed = async (count: number): Promise<string> => {
      const bytes = [jpeg.subarray(0, 4), integers(2, 2), Buffer.alloc(count), jpeg.subarray(2)];
      return (await scratch.inspect(Buffer.concat(bytes))).metadata.type;
    };
    expect([await strayed(50_000), await strayed(200_000)]).toEqual(['image', 'other']);
  });

  test('[FD8] is other: a JPEG of stray bytes without end', async () => {
    expect(
      await scratch.inspect(
        Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(1_000_000, 0xff)]),
      ),
    ).toEqual(unknown);
  });

  test('[FD8] is other: an AVIF that relates 2^32 items to properties, none its own', async () => {
    const bytes = await fixtureBytes('still.avif');
    const relations = bytes.indexOf('ipma');
    bytes.writeUInt32BE(0xff_ff_ff_ff, relations + 8);
    bytes.writeUInt16BE(77, relations + 12);
    expect(await scratch.inspect(bytes)).toEqual(unknown);
  });

  test('[FD5] is not read like an archive for long: 1,024 entries of unknown size', async () => {
    const entry = Buffer.alloc(64);
    entry.write('PK\x03\x04', 'latin1');
    entry.writeUInt16LE(8, 6); // the size follows the data
    entry.writeUInt16LE(8, 8);
    entry.writeUInt16LE(34, 26);
    expectSane(await scratch.inspect(Buffer.alloc(200_000, entry)));
  });
});
