import { describe, expect, test } from 'bun:test';
import {
  box,
  element,
  fixtureBytes,
  integers,
  largeBoxHeader,
  ScratchFile,
  unknown,
} from '@hearth/testing/media/fixtures';
import type { ContentFacts } from './inspect-content.ts';

const scratch = ScratchFile.forTests();

const video = (contentType: string): ContentFacts => ({
  contentType,
  metadata: { type: 'video', width: 64, height: 48 },
});

const uint = (value: number): Buffer => integers(4, value);
const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0', 'latin1'));
const ebml = element(0x1a45dfa3, element(0x4282, Buffer.from('webm')));
const tracks = element(
  0x1654ae6b,
  element(
    0xae,
    element(0x83, uint(1)),
    element(0xe0, element(0xb0, uint(64)), element(0xba, uint(48))),
  ),
);

describe('a movie made to do harm', () => {
  test.each([
    ['a moov of 2^63 bytes', [largeBoxHeader('moov', 2n ** 63n), Buffer.alloc(100)]],
    ['a moov of 2^64 - 1 bytes', [largeBoxHeader('moov', 2n ** 64n - 1n), Buffer.alloc(100)]],
    ['a large box smaller than its header', [largeBoxHeader('free', 8n), box('moov')]],
    ['a large box of no size', [largeBoxHeader('free', 0n), box('moov')]],
    [
      'a box smaller than its header',
      [Buffer.from([0, 0, 0, 7]), Buffer.from('free'), box('moov')],
    ],
    ['a box larger than its parent', [box('moov', Buffer.from([0, 0, 1, 0]), Buffer.from('trak'))]],
    ['a track of no media', [box('moov', box('trak'))]],
    ['more boxes than any movie has', [Buffer.concat(Array<Buffer>(200_000).fill(box('free')))]],
    ['tracks inside of tracks', [nest('trak', 10_000)]],
  ])('[FD8] the type is other: %s', async (_, contents) => {
    expect(await scratch.inspect(Buffer.concat([ftyp, ...contents]))).toEqual(unknown);
  });

  test('[FD7] a movie has its size although its track announces 2^32 descriptions', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    bytes.writeUInt32BE(0xff_ff_ff_ff, bytes.indexOf('stsd') + 8);
    expect(await scratch.inspect(bytes)).toEqual(video('video/mp4'));
  });

  function nest(type: string, depth: number): Buffer {
    const bytes = Buffer.alloc(depth * 8);
    for (let level = 0; level < depth; level += 1) {
      bytes.writeUInt32BE((depth - level) * 8, level * 8);
      bytes.write(type, level * 8 + 4, 'latin1');
    }
    return box('moov', bytes);
  }
});

describe('a Matroska file made to do harm', () => {
  const segment = 0x18538067;
  const cutOffTracks = Buffer.from(tracks);
  cutOffTracks.writeUInt8(cutOffTracks.readUInt8(11) + 1, 11); // the last byte of their size

  test('[FD7] a file has its size although 200,000 seek entries or cues come first', async () => {
    const seek = element(
      0x4dbb,
      element(0x53ab, Buffer.from('114d9b74', 'hex')),
      element(0x53ac, uint(9)),
    );
    const cue = element(0xbb, element(0xb3, uint(1)), element(0xb7, element(0xf7, uint(1))));
    for (const [id, entry] of [
      [0x114d9b74, seek],
      [0x1c53bb6b, cue],
    ] as const) {
      const entries = element(id, Buffer.alloc(entry.length * 200_000, entry));
      expect(
        await scratch.inspect(Buffer.concat([ebml, element(segment, entries, tracks)])),
      ).toEqual(video('video/webm'));
    }
  });

  test('[FD7] a file has its size although its segment is cut off or of unknown size', async () => {
    const whole = element(segment, tracks, Buffer.alloc(9));
    const unsized = Buffer.from('18538067ff', 'hex');
    const voids = element(0xec, Buffer.alloc(200));
    expect(await scratch.inspect(Buffer.concat([ebml, whole.subarray(0, -9)]))).toEqual(
      video('video/webm'),
    );
    expect(await scratch.inspect(Buffer.concat([ebml, unsized, voids, tracks]))).toEqual(
      video('video/webm'),
    );
  });

  test.each([
    ['no segment', []],
    ['no tracks', [element(segment, element(0xec, Buffer.alloc(10)))]],
    [
      'tracks of unknown size',
      [element(segment, Buffer.from('1654ae6bff', 'hex'), Buffer.alloc(10))],
    ],
    ['tracks that are cut off', [element(segment, cutOffTracks)]],
    ['an id of no length', [element(segment, Buffer.from([0]))]],
    ['an id of five bytes', [element(segment, Buffer.from([8, 0, 0, 0, 0, 0x80]))]],
    ['an id at the very end', [element(segment, Buffer.from([0xec]))]],
    [
      'more elements than any file has',
      [element(segment, Buffer.alloc(400_000, Buffer.from([0xec, 0x80])))],
    ],
    [
      'a video track without a picture',
      [element(segment, element(0x1654ae6b, element(0xae, element(0x83, uint(1)))))],
    ],
    [
      'an integer of nine bytes',
      [element(segment, element(0x1654ae6b, element(0xae, element(0x83, Buffer.alloc(9, 1)))))],
    ],
    [
      'a picture of 2^62 pixels',
      [
        element(
          segment,
          element(
            0x1654ae6b,
            element(
              0xae,
              element(0x83, uint(1)),
              element(0xe0, element(0xb0, Buffer.alloc(8, 0x40)), element(0xba, uint(48))),
            ),
          ),
        ),
      ],
    ],
  ])('[FD8] the type is other: %s', async (_, contents) => {
    expect(await scratch.inspect(Buffer.concat([ebml, ...contents]))).toEqual(unknown);
  });
});
