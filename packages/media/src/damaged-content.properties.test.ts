import { beforeAll, describe, test } from 'bun:test';
import { open } from 'node:fs/promises';
import { runs } from '@hearth/testing/runs';
import fc from 'fast-check';
import { fixtureBytes, fixtures, ScratchFile } from '@hearth/testing/media/fixtures';
import { expectSane } from '../test/expect-sane.ts';
import { inspectContent } from './inspect-content.ts';

/** The usual tier tries every third place, and the long one every place. */
const EVERY = runs(1) === 1 ? 3 : 1;

const scratch = ScratchFile.forTests();
let originals: readonly { readonly name: string; readonly bytes: Buffer }[];
beforeAll(async () => {
  originals = await Promise.all(
    fixtures.map(async ({ name }) => ({ name, bytes: await fixtureBytes(name) })),
  );
});

describe('content that was damaged', () => {
  test('[FD8] by being cut off is other or keeps its type', async () => {
    for (const { bytes } of originals) {
      await scratch.inspect(bytes);
      await using file = await open(scratch.path, 'r+');
      for (let length = bytes.length; length > 0; length -= (length > 300 ? 31 : 1) * EVERY) {
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
      { numRuns: runs(300) },
    );
  });

  test('[FD8] by extreme numbers is other or has a positive size', async () => {
    for (const { bytes } of originals) {
      for (let at = 0; at + 4 <= Math.min(bytes.length, 700); at += 4 * EVERY) {
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
      { numRuns: runs(200) },
    );
  });
});
