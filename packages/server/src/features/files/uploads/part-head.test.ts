import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formBoundary, parseFormBoolean, readPartHead } from './part-head.ts';

const filePart = (parameters: string) =>
  readPartHead(
    `Content-Disposition: form-data; name="file"; ${parameters}\r\nContent-Type: image/png`,
  );

describe('[FD9] the name of a file', () => {
  test.each<[client: string, parameters: string, name: string]>([
    ['any client', 'filename="hills.jpg"', 'hills.jpg'],
    ['any client, blanks', 'filename="my hills, 2.jpg"', 'my hills, 2.jpg'],
    ['any client, a semicolon', 'filename="a;b.txt"', 'a;b.txt'],
    ['any client, UTF-8', 'filename="холмы 山.jpg"', 'холмы 山.jpg'],
    ['any client, emoji', 'filename="💾🏔️.bin"', '💾🏔️.bin'],
    ['any client, parameters in capitals', 'FILENAME="hills.jpg"', 'hills.jpg'],
    ['a browser, a quote', 'filename="a %22b%22.txt"', 'a "b".txt'],
    ['a browser, a line end', 'filename="a%0D%0Ab.txt"', 'ab.txt'],
    ['a browser, a percent sign', 'filename="100%25 %41.txt"', '100%25 %41.txt'],
    ['a browser, a backslash', 'filename="a\\b.txt"', 'b.txt'],
    ['a browser, a backslash and a quote', 'filename="a\\%22b.txt"', '"b.txt'],
    ['a browser, a backslash at the end', 'filename="a\\"', 'file'],
    ['a browser, a folder', 'filename="pictures/2026/hills.jpg"', 'hills.jpg'],
    ['an old browser, its path', 'filename="C:\\Users\\me\\hills.jpg"', 'hills.jpg'],
    ['old curl, a quote', 'filename="a \\"b\\".txt"', 'a "b".txt'],
    ['old curl, a backslash', 'filename="a\\\\b.txt"', 'b.txt'],
    ['new curl, a quote', 'filename="a %22b%22.txt"', 'a "b".txt'],
    ['Go, a quote', 'filename="a \\"b\\".txt"', 'a "b".txt'],
    ['Go, a backslash and a quote', 'filename="x\\\\a \\"b\\".txt"', 'a "b".txt'],
    ['reqwest, UTF-8', "filename*=utf-8''na%C3%AFve%20%E5%B1%B1.txt", 'naïve 山.txt'],
    ['old requests, UTF-8', "filename*=utf-8''na%C3%AFve.txt", 'naïve.txt'],
    ['new requests, UTF-8', 'filename="naïve.txt"', 'naïve.txt'],
    ['aiohttp, which encodes all of it', 'filename="na%C3%AFve.txt"', 'na%C3%AFve.txt'],
    ['both, extended last', `filename="x.txt"; filename*=UTF-8''%E5%B1%B1.txt`, '山.txt'],
    ['both, extended first', `filename*=UTF-8''%E5%B1%B1.txt; filename="x.txt"`, '山.txt'],
    ['Latin-1, extended', "filename*=ISO-8859-1'en'na%EFve.txt", 'naïve.txt'],
    ['a token', 'filename=hills.jpg', 'hills.jpg'],
    ['a control character', 'filename="a\u0000\u0007b.txt"', 'ab.txt'],
    ['an empty name', 'filename=""', 'file'],
    ['an unknown charset', "filename*=koi8-r''%F0.txt", 'file'],
    ['broken escapes', `filename="x.txt"; filename*=UTF-8''%E5%B1.txt`, 'x.txt'],
    ['an unfinished quote', 'filename="hills.jpg', 'file'],
    ['no name at all', 'x=y', 'file'],
  ])('as sent by %s', (_client, parameters, name) => {
    expect(filePart(parameters)).toEqual({ type: 'file', name });
  });

  test('the name is read in any form in which a browser sends it', () => {
    const name = fc.string({ unit: 'grapheme-ascii' }).filter((text) => !/[\\/]/.test(text));
    fc.assert(
      fc.property(name, (given) => {
        const sent = given.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
        const expected = given.trim();
        fc.pre(!/%(22|0D|0A)/i.test(given) && !['', '.', '..'].includes(expected));
        expect(filePart(`filename="${sent}"`)).toEqual({ type: 'file', name: expected });
      }),
    );
  });

  test('the name is read in any form in which an old curl or Go sends it', () => {
    const name = fc.string({ unit: fc.constantFrom(...'a"% .;=é'), minLength: 1 });
    fc.assert(
      fc.property(name, (given) => {
        const sent = given.replaceAll('"', '\\"');
        const expected = given.trim();
        fc.pre(given.includes('"') && !['.', '..'].includes(expected));
        expect(filePart(`filename="${sent}"`)).toEqual({ type: 'file', name: expected });
      }),
    );
  });
});

describe('a part', () => {
  test('[FS9] named file is the file, with or without a file name and a type', () => {
    const disposition = 'Content-Disposition: form-data; name="file"';
    expect(readPartHead(`${disposition}; filename="a"`)).toEqual({ type: 'file', name: 'a' });
    expect(readPartHead(`${disposition}\r\nContent-Type: a/b`)).toEqual({
      type: 'file',
      name: 'file',
    });
    expect(readPartHead(disposition)).toEqual({ type: 'file', name: 'file' });
  });

  test.each([
    "filename*=utf-8''%ff%zz",
    "filename*=utf-8''%E5%B1",
    "filename*=koi8-r''%F0.txt",
    'filename*=a.txt',
    'filename*=""',
    'filename*=',
  ])('[FS9][FD9] named file is the file although its name cannot be read: %s', (fileName) => {
    const head = `Content-Disposition: form-data; name="file"; ${fileName}`;
    expect(readPartHead(head)).toEqual({ type: 'file', name: 'file' });
  });

  test.each(['multipart/mixed; boundary=b', 'Multipart/Mixed;boundary="b"', ' multipart/digest'])(
    '[FS9] named file is several files when it has no file name and the type %j',
    (type) => {
      const disposition = 'Content-Disposition: form-data; name="file"';
      expect(readPartHead(`${disposition}\r\nContent-Type: ${type}`)).toEqual({
        type: 'several-files',
      });
      for (const fileName of ['filename="a"', 'filename=""', "filename*=utf-8''%zz"]) {
        const head = `${disposition}; ${fileName}\r\nContent-Type: ${type}`;
        expect(readPartHead(head)).toMatchObject({ type: 'file' });
      }
      const other = `Content-Disposition: form-data; name="other"\r\nContent-Type: ${type}`;
      expect(readPartHead(other)).toEqual({ type: 'ignored' });
    },
  );

  test.each(['multipart', 'multipart-mixed', 'text/multipart', 'x-multipart/mixed'])(
    '[FS9] named file is one file when its type only resembles that of several: %s',
    (type) => {
      const head = `Content-Disposition: form-data; name="file"\r\nContent-Type: ${type}`;
      expect(readPartHead(head)).toEqual({ type: 'file', name: 'file' });
    },
  );

  test.each([
    'content-disposition: form-data; name="file"; filename="a"',
    'CONTENT-DISPOSITION:form-data;name="file";filename="a"',
    'X-Other: 1\r\nContent-Disposition: form-data; filename="a"; name=file',
    '\r\nContent-Type: a/b\r\nContent-Disposition : form-data ; name = "file" ; filename = "a"',
    'Content-Disposition:\tForm-Data;\tNAME\t=\t"file"\t;\tFileName\t=\t"a"\t',
    'Content-Disposition: FORM-DATA;;name=file ;; filename=a ;',
    "Content-Disposition:form-data;Name=file;FILENAME* = Utf-8''a",
  ])('[FS14] a part has its headers in any case, order and spacing: %j', (head) => {
    expect(readPartHead(head)).toEqual({ type: 'file', name: 'a' });
  });

  test.each([
    'Content-Disposition: form-data;\r\n name="file";\r\n filename="a b"',
    'Content-Disposition: form-data;\r\n\tname="file";\r\n \t filename="a b"',
    'Content-Disposition:\r\n form-data; name="file"; filename="a b"',
    'Content-Disposition: form-data; name="file"; filename="a\r\n b"',
    'Content-Disposition: form-data; name="file"\r\n ; filename\r\n =\r\n "a b"\r\n ',
    '\r\nContent-Type: a/b;\r\n c=d\r\nContent-Disposition: form-data; name="file";\r\n filename="a b"',
    'X-Other: x\r\n Content-Disposition: form-data; name="other"\r\nContent-Disposition: form-data; name="file"; filename="a b"',
  ])('[FS14] a part has a header folded over several lines: %j', (head) => {
    expect(readPartHead(head)).toEqual({ type: 'file', name: 'a b' });
  });

  test('[FS14] a part has no other header in the lines that one is folded over', () => {
    const head =
      'Content-Disposition: form-data; name="file";\r\n x=y\r\n Content-Type: multipart/mixed';
    expect(readPartHead(head)).toEqual({ type: 'file', name: 'file' });
  });

  test('[FS10] named spoiler is the mark, whatever else its head says', () => {
    const head = 'Content-Disposition: form-data; name="spoiler"';
    expect(readPartHead(head)).toEqual({ type: 'spoiler' });
    expect(readPartHead(`${head}; filename="blob"\r\nContent-Type: a/b`)).toEqual({
      type: 'spoiler',
    });
  });

  test.each([
    '',
    'Content-Type: image/png',
    'Content-Disposition: form-data',
    'Content-Disposition: form-data; name="other"; filename="a"',
    'Content-Disposition: form-data; name="File"; filename="a"',
    'Content-Disposition: form-data; name="file[]"; filename="a"',
    'Content-Disposition',
    'no header at all',
  ])('[FS14] with another name is ignored: %j', (head) => {
    expect(readPartHead(head)).toEqual({ type: 'ignored' });
  });

  test('[FD9] no part fails to be read', () => {
    const pieces = ['Content-Disposition:', 'form-data;', 'name=', '"file"', 'filename', '*=', ' '];
    const piece = fc.oneof(
      fc.constantFrom(...pieces, "UTF-8''%", '\\', '"', ';', '\r\n'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (given) => {
        expect(() => readPartHead(given.join(''))).not.toThrow();
      }),
    );
  });
});

describe('[FS13] the boundary', () => {
  const longest = 'b'.repeat(70);

  test.each<[contentType: string, boundary: string]>([
    ['multipart/form-data; boundary=----WebKitFormBoundaryAbC123', '----WebKitFormBoundaryAbC123'],
    ['multipart/form-data;boundary=b', 'b'],
    ['Multipart/Form-Data; Boundary=AbC', 'AbC'],
    ['multipart/form-data; boundary="b c:d"', 'b c:d'],
    ['multipart/form-data; charset=utf-8; boundary=b', 'b'],
    ['multipart/form-data; boundary=b; charset=utf-8', 'b'],
    ['multipart/form-data ; boundary=b ', 'b'],
    [`multipart/form-data; boundary=${longest}`, longest],
    [`multipart/form-data; boundary=${longest}too-long`, `${longest}too-long`],
  ])('the boundary is read from %j', (contentType, boundary) => {
    expect(formBoundary(contentType)).toBe(boundary);
  });

  test.each([
    null,
    '',
    'application/json',
    'multipart/mixed; boundary=b',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-database; boundary=b',
    'application/x-www-form-urlencoded',
  ])('the boundary is missing in %j', (contentType) => {
    expect(formBoundary(contentType)).toBeUndefined();
  });
});

describe('[FS11] a boolean', () => {
  const cases = (words: readonly string[]) =>
    words.flatMap((word) => [word, word.toUpperCase(), ` ${word}\r\n`]);

  test.each(cases(['true', 'True', '1', 'on', 'yes', 'yEs']))('%j is true', (text) => {
    expect(parseFormBoolean(text)).toBe(true);
  });

  test.each(cases(['false', 'False', '0', 'off', 'no', 'oFF']))('%j is false', (text) => {
    expect(parseFormBoolean(text)).toBe(false);
  });

  test.each(['', ' ', '2', '01', 'y', 't', 'null', 'truefalse', 'true,true', 'да', '\u0000true'])(
    '%j is none',
    (text) => {
      expect(parseFormBoolean(text)).toBeUndefined();
    },
  );
});
