import { describe, expect, test } from 'bun:test';
import { open } from 'node:fs/promises';
import {
  box,
  element,
  fixtureBytes,
  integers,
  largeBoxHeader,
  ScratchFile,
  unknown,
} from '@hearth/testing/media/fixtures';
import { type ContentFacts, inspectContent } from './inspect-content.ts';

const scratch = ScratchFile.forTests();

describe('a large file', () => {
  test('[FD7] the size is found: a movie whose description follows 5 GiB', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    const movie = bytes.subarray(bytes.indexOf('moov') - 4);
    const media = 5 * 2 ** 30;
    await scratch.inspect(bytes.subarray(0, bytes.indexOf('ftyp') - 4 + bytes.readUInt32BE(0)));
    await using file = await open(scratch.path, 'r+');
    const start = (await file.stat()).size;
    const header = largeBoxHeader('mdat', BigInt(media));
    await file.write(header, 0, header.length, start);
    await file.write(movie, 0, movie.length, start + media);
    expect(await inspectContent(scratch.path, start + media + movie.length, false)).toEqual({
      contentType: 'video/mp4',
      metadata: { type: 'video', width: 64, height: 48 },
    });
    await file.truncate(0);
  });
});

describe('a movie of several tracks', () => {
  test('[FD7] the size is that of the track that is enabled', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    const at = bytes.indexOf('moov');
    const track = bytes.indexOf('trak') - 4;
    const second = Buffer.from(bytes.subarray(track, track + bytes.readUInt32BE(track)));
    second.writeUInt16BE(32, second.indexOf('avc1') + 28); // its width
    const disabled = Buffer.from(bytes);
    disabled.writeUInt8(2, disabled.indexOf('tkhd') + 7);
    const both = Buffer.concat([
      disabled.subarray(0, track + second.length),
      second,
      disabled.subarray(track + second.length),
    ]);
    both.writeUInt32BE(bytes.readUInt32BE(at - 4) + second.length, at - 4);
    expect((await scratch.inspect(both)).metadata).toMatchObject({ width: 32, height: 48 });
    expect((await scratch.inspect(disabled)).metadata).toMatchObject({ width: 64, height: 48 });
  });
});

describe('a movie', () => {
  const facts: ContentFacts = {
    contentType: 'video/mp4',
    metadata: { type: 'video', width: 64, height: 48 },
  };
  const matrixOf = (quarterTurns: 0 | 1): Buffer =>
    quarterTurns === 0 ? integers(4, 0x1_00_00, 0) : integers(4, 0, 0x1_00_00);
  const headerOf = (version: 0 | 1, matrix: Buffer): Buffer =>
    box('tkhd', integers(1, version, 0, 0, 1), Buffer.alloc(version === 0 ? 36 : 48), matrix);
  const entry = box('avc1', Buffer.alloc(24), integers(2, 64, 48), Buffer.alloc(50));
  const movieOf = (header: Buffer, ...entries: Buffer[]): Buffer => {
    const handler = box('hdlr', Buffer.alloc(8), Buffer.from('vide'));
    const table = box('stsd', integers(4, 0, entries.length), ...entries);
    const media = box('mdia', handler, box('minf', box('stbl', table)));
    return Buffer.concat([
      box('ftyp', Buffer.from('isom')),
      box('moov', box('trak', header, media)),
    ]);
  };

  test.each([0, 1] as const)(
    '[FD7] the size is found: track header of version %i',
    async (version) => {
      const upright = movieOf(headerOf(version, matrixOf(0)), entry);
      const turned = movieOf(headerOf(version, matrixOf(1)), entry);
      expect(await scratch.inspect(upright)).toEqual(facts);
      expect((await scratch.inspect(turned)).metadata).toMatchObject({ width: 48, height: 64 });
    },
  );

  test('[FD8] that describes no samples is other', async () => {
    expect(await scratch.inspect(movieOf(headerOf(0, matrixOf(0))))).toEqual(unknown);
  });

  test('[FD7] the size is found: a box that reaches to the end of the file', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    bytes.writeUInt32BE(0, bytes.indexOf('moov') - 4);
    expect(await scratch.inspect(bytes)).toEqual(facts);
  });

  test('[FD7] the size is found: a box with a size of 64 bits', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    const at = bytes.indexOf('moov');
    const header = largeBoxHeader('moov', BigInt(bytes.readUInt32BE(at - 4) + 8));
    const parts = [bytes.subarray(0, at - 4), header, bytes.subarray(at + 4)];
    expect(await scratch.inspect(Buffer.concat(parts))).toEqual(facts);
  });

  test('[FD5] no size is found without pictures, whatever ends its list of boxes', async () => {
    const bytes = await fixtureBytes('sound.mp4');
    const at = bytes.indexOf('moov') - 4;
    const end = at + bytes.readUInt32BE(at);
    bytes.writeUInt32BE(end - at + 4, at);
    const parts = [bytes.subarray(0, end), Buffer.alloc(4), bytes.subarray(end)];
    expect(await scratch.inspect(Buffer.concat(parts))).toEqual({
      contentType: 'video/mp4',
      metadata: { type: 'other' },
    });
  });

  test('[FD7] the size is found although the movie gives its pixels no shape', async () => {
    const bytes = await fixtureBytes('wide-pixels.mp4');
    bytes.fill(0, bytes.indexOf('pasp') + 4, bytes.indexOf('pasp') + 12);
    expect(await scratch.inspect(bytes)).toEqual(facts);
  });
});

describe('a Matroska file', () => {
  const trackOf = (isEnabled: number, width: number): Buffer => {
    const picture = element(
      0xe0,
      element(0xb0, integers(2, width)),
      element(0xba, integers(1, 48)),
    );
    return element(
      0xae,
      element(0x83, integers(1, 1)),
      element(0xb9, integers(1, isEnabled)),
      picture,
    );
  };
  const fileOf = (...tracks: Buffer[]): Buffer =>
    Buffer.concat([
      element(0x1a45dfa3, element(0x4282, Buffer.from('webm'))),
      element(0x18538067, element(0x1654ae6b, element(0xec), ...tracks)),
    ]);

  test('[FD7] the size is that of the track that is enabled', async () => {
    const both = await scratch.inspect(fileOf(trackOf(0, 64), trackOf(1, 32)));
    const disabled = await scratch.inspect(fileOf(trackOf(0, 64), trackOf(0, 32)));
    expect(both.metadata).toMatchObject({ width: 32, height: 48 });
    expect(disabled.metadata).toMatchObject({ width: 64, height: 48 });
  });
});
