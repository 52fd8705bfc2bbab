import { describe, expect, test } from 'bun:test';
import { readdir, stat } from 'node:fs/promises';
import {
  fixtureBytes,
  fixturePath,
  fixtures,
  ScratchFile,
  unknown,
} from '@hearth/testing/media/fixtures';
import { until } from '@hearth/testing/until';
import { type ContentFacts, inspectContent } from './inspect-content.ts';

const scratch = ScratchFile.forTests();

const plain: ContentFacts = {
  contentType: 'text/plain; charset=utf-8',
  metadata: { type: 'text' },
};
const svg: ContentFacts = { contentType: 'image/svg+xml', metadata: { type: 'text' } };

async function expectFixture(name: string): Promise<void> {
  const { size } = await stat(fixturePath(name));
  const facts = fixtures.find((fixture) => fixture.name === name)?.facts;
  expect<unknown>(await inspectContent(fixturePath(name), size, false)).toEqual(facts);
}

const named = (type: string): string[] =>
  fixtures.filter(({ facts }) => facts.metadata.type === type).map(({ name }) => name);

describe('a file', () => {
  test('[FD5] every fixture is known', async () => {
    const files = (await readdir(fixturePath('.'))).filter((name) => !/\.(sh|ts)$/.test(name));
    expect(files.toSorted()).toEqual(fixtures.map(({ name }) => name).toSorted());
  });

  test.each(named('image'))('[FD6] that is a picture has its stored size: %s', expectFixture);
  test.each(named('video'))('[FD7] that is a video has its displayed size: %s', expectFixture);
  test.each(named('other'))('[FD5] that is neither has the type of its bytes: %s', expectFixture);

  test('[FD5] a file of unknown bytes is other', async () => {
    expect(await scratch.inspect(Buffer.from([1, 2, 3, 0]))).toEqual(unknown);
    expect(await scratch.inspect(Buffer.alloc(100_000))).toEqual(unknown);
  });

  test('[FD5] a file may be empty', async () => {
    expect(await scratch.inspect(Buffer.alloc(0))).toEqual(unknown);
    expect(await scratch.inspect(Buffer.alloc(0), true)).toEqual(plain);
  });

  test('[FD5] that cannot be opened makes the inspection throw, because that says nothing about its content', async () => {
    const outcome = await inspectContent(`${scratch.path}-missing`, 10, false).catch(String);
    expect(outcome).toContain('ENOENT');
  });

  test('[FD5] that is shorter than announced is damaged', async () => {
    const bytes = await fixtureBytes('moov-last.mp4');
    await scratch.inspect(bytes.subarray(0, 100));
    expect(await inspectContent(scratch.path, bytes.length, false)).toEqual(unknown);
  });
});

describe('text', () => {
  test.each([
    'Hearth',
    'BM, GIF and ID3 begin files of other kinds',
    '<!doctype html><title>page</title><script>alert(1)</script>',
    '<!DOCTYPE html><svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html><svg></svg></html>',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
    '<?xml version="1.0"?>\n<rss version="2.0"></rss>',
    '<svgless/>',
    '<svg',
    '< svg>',
    'an <svg> in prose',
    '<!-- <svg> -->',
    '<!-- never closed <svg>',
    '<?never closed <svg>',
    '<!DOCTYPE svg [ never closed <svg>',
    '<!--><svg> is a comment still',
    `${' '.repeat(4096)}<svg/>`,
  ])('[FS22] the type is plain text: %j', async (text) => {
    expect(await scratch.inspect(Buffer.from(text), true)).toEqual(plain);
  });

  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg>',
    '<svg/>',
    '\ufeff \r\n<svg\nwidth="1">',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Generator: > -- <html> -->\n<svg >',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">\n<svg>',
    '<!DOCTYPE svg SYSTEM "svg11.dtd"><svg a="[b]"><rect/></svg>',
    '<?xml version="1.0"?><!DOCTYPE svg [ <!ENTITY a "b>"> ]> <!----> <svg a="[]">',
    `<svg>${'é'.repeat(5000)}</svg>`,
  ])('[FS22] the type is an SVG picture: %j', async (text) => {
    expect(await scratch.inspect(Buffer.from(text), true)).toEqual(svg);
  });

  test.each(['<!--<?', '<?x?>'])(
    '[FS22] that never ends a prolog of %j is plain',
    async (piece) => {
      expect(await scratch.inspect(Buffer.from(piece.repeat(100_000)), true)).toEqual(plain);
    },
  );
});

describe('a document', () => {
  const document = (contentType: string): ContentFacts => ({
    contentType,
    metadata: { type: 'other' },
  });
  const pdf = document('application/pdf');
  const postScript = document('application/postscript');

  test.each<[what: string, text: string, facts: ContentFacts]>([
    ['a PDF', '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n', pdf],
    ['a PDF of nothing', '%PDF-', pdf],
    ['a PDF that contains an HTML page', '%PDF-1.7 <!doctype html><script>alert(1)</script>', pdf],
    ['a PDF of 5 MB', `%PDF-2.0\n${'% good evening\n'.repeat(350_000)}`, pdf],
    ['PostScript', '%!PS-Adobe-3.0\n/Courier findfont\nshowpage\n', postScript],
    ['PostScript of no version', '%!PS\nshowpage\n', postScript],
    ['an EPS picture', '%!PS-Adobe-3.0 EPSF-3.0\nshowpage\n', document('application/eps')],
    ['Rich Text', String.raw`{\rtf1\ansi good evening}`, document('application/rtf')],
  ])(
    '[FD5][FS22] a document has its own type although its bytes are text: %s',
    async (_what, text, facts) => {
      expect(await scratch.inspect(Buffer.from(text), true)).toEqual(facts);
      expect(await scratch.inspect(Buffer.from(`${text}\0`))).toEqual(facts);
    },
  );

  test.each(['GIF89a', 'GIF87a', 'GIF89a\n \n '])(
    '[FD8] the type is other: a GIF that breaks off while it is still text, %j',
    async (text) => {
      expect(await scratch.inspect(Buffer.from(text), true)).toEqual(document('image/gif'));
    },
  );

  test.each([
    '%PDF',
    ' %PDF-1.4',
    'A PDF begins with %PDF-1.4',
    '%pdf-1.4',
    '%!TEX root = main.tex\n',
    '%!',
    '% a comment of TeX',
    '%%EOF',
    String.raw`{\rt is no mark}`,
    '{"rtf":1}',
    'BEGIN:VCARD\r\nVERSION:4.0\r\n',
    'BEGIN:VCALENDAR\r\n',
    '-----BEGIN PGP MESSAGE-----\n',
    'WEBVTT\n\n00:00.000 --> 00:01.000\ngood evening\n',
    'solid cube\nendsolid\n',
    '#!AMR',
  ])("[FD5][FS22] the type is not a document's but plain text: %j", async (text) => {
    expect(await scratch.inspect(Buffer.from(text), true)).toEqual(plain);
  });
});

describe('a binary file', () => {
  test.each([
    ['XML of UTF-16', Buffer.from('\ufeff<?xml version="1.0"?><html/>', 'utf16le')],
    ['XML that is no text', Buffer.from('<?xml version="1.0"?><html/>\0')],
    ['a calendar that is not text', Buffer.from('BEGIN:VCALENDAR\0')],
    ['a Flash movie', Buffer.from('CWS\x0a\0\0\0\0')],
  ])('[FS22] a binary file is never served as %s', async (_, bytes) => {
    expect(await scratch.inspect(bytes)).toEqual(unknown);
  });

  test('[FS22] a binary file may be a large TIFF whose directory is at its end', async () => {
    const facts: ContentFacts = { contentType: 'image/tiff', metadata: { type: 'other' } };
    for (const start of ['II\x2a\0\x08\0\x01\0', 'MM\0\x2a\0\x01\0\x08']) {
      const bytes = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(70_000)]);
      expect(await scratch.inspect(bytes)).toEqual(facts);
    }
  });
});

test('[FS16] no file stays open', async () => {
  const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
  if (process.platform !== 'linux') return;
  await scratch.inspect(await fixtureBytes('palette.png'));
  const before = await openFiles();
  for (const { name } of fixtures) {
    const bytes = await fixtureBytes(name);
    await scratch.inspect(bytes);
    await scratch.inspect(bytes.subarray(0, bytes.length / 2));
    await scratch.inspect(bytes, true);
  }
  // Others in this process may open files meanwhile; theirs are closed again.
  await until(async () => (await openFiles()) <= before);
});
