import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { growthOf, LINEAR } from '@hearth/testing/growth';
import { decodePage } from './decode-page.ts';
import { previewText, readPage } from './read-page.ts';

const HERE = new URL('https://example.org/a/b');

describe('[LP3] what a page says of itself', () => {
  test('the data is taken from Open Graph first, then from a Twitter card, then from HTML', () => {
    const html = (...names: readonly string[]) =>
      `<title>html</title>${names.map((name) => `<meta property="${name}" content="${name}">`).join('')}`;
    const titleOf = (text: string) => readPage(text, HERE).title;
    expect(titleOf(html('twitter:title', 'og:title'))).toBe('og:title');
    expect(titleOf(html('twitter:title'))).toBe('twitter:title');
    expect(titleOf(html())).toBe('html');
    expect(readPage('<meta name="Description" content=short>', HERE).description).toBe('short');
    expect(readPage('<META NAME=og:site_name CONTENT=Site>', HERE).siteName).toBe('Site');
  });

  test('references to characters are resolved, in attributes and in the title', () => {
    const html =
      '<title>Tom &amp; Jerry &#x1f600;</title><meta name=description content="&lt;b&gt;">';
    expect(readPage(html, HERE)).toMatchObject({ title: 'Tom & Jerry 😀', description: '<b>' });
  });

  test('nothing is taken from scripts and comments, and an empty title does not count', () => {
    const html =
      '<!-- <title>no</title> --><script>"<title>no</title>"</script><title> </title><title>yes</title>';
    expect(readPage(html, HERE).title).toBe('yes');
  });

  test('[LP10] the title is that of the head, and not that of a picture, a formula or a template', () => {
    const titleOf = (text: string) => readPage(text, HERE).title;
    for (const apart of [
      '<svg><title>no</title></svg>',
      '<SVG viewBox="0 0 1 1"><g><Title>no</Title></g></SVG>',
      '<math><title>no</title></math>',
      '<template><title>no</title><svg></template>',
      '<template/><title>no</title></template>',
      '<svg/><svg><svg></svg><title>no</title></svg>',
      '</svg></template>',
    ]) {
      expect([apart, titleOf(`${apart}<title>yes</title>`)]).toEqual([apart, 'yes']);
      expect([apart, titleOf(apart)]).toEqual([apart, undefined]);
    }
    const page = '<head><meta name=x></head><body><title>no</title><svg><title>no</title></svg>';
    expect(titleOf(page)).toBeUndefined();
    expect(titleOf('<body><title>no</title><meta property=og:title content=yes>')).toBe('yes');
    const meta = '<meta property=og:title content=no><base href="//no.test/">';
    expect(titleOf(`<template>${meta}</template><title>yes</title>`)).toBe('yes');
  });

  test('[LP10] a page is not read to its end if pictures or templates are nested too deeply', () => {
    const nested = (depth: number) =>
      `${'<svg>'.repeat(depth)}${'</svg>'.repeat(depth)}<title>a</title>`;
    expect(readPage(nested(100), HERE).title).toBe('a');
    expect(readPage(nested(101), HERE).title).toBeUndefined();
  });

  test('[LP4] a page may name several pictures, at most five, in the order of the page and each once', () => {
    const meta = (name: string, address: string) =>
      `<meta property="${name}" content="${address}">`;
    const of = (html: string) => readPage(html, HERE).pictures.map((url) => new URL(url).pathname);
    const two = meta('og:image', '/1') + meta('og:image', 'ftp://x/') + meta('og:image', '/2');
    expect(of(two)).toEqual(['/1', '/2']);
    expect(of(meta('twitter:image', '/3') + two + meta('og:image', '/1'))).toEqual([
      ...['/1', '/2', '/3'],
    ]);
    expect(of(meta('og:image', '/1') + meta('og:image:secure_url', '/0'))).toEqual(['/0', '/1']);
    const many = Array.from({ length: 50 }, (_, at) => meta('og:image', `/${at}`));
    expect(of(many.join(''))).toHaveLength(5);
  });

  test('addresses of pictures may be shortened by the page', () => {
    const of = (html: string) => readPage(html, HERE).pictures;
    expect(of('<meta property="og:image" content="p.png">')).toEqual([
      'https://example.org/a/p.png',
    ]);
    expect(of('<base href="//cdn.test/x/"><meta property="og:image" content="p.png">')).toEqual([
      'https://cdn.test/x/p.png',
    ]);
    for (const address of [
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      'file:///etc/passwd',
      '',
    ]) {
      expect(of(`<meta property="og:image" content="${address}">`)).toEqual([]);
    }
  });

  test('each text is one line of bounded length', () => {
    expect(previewText(' a\r\n\tb\u202e\u0000 c ', 100)).toBe('a b c');
    expect(previewText('x'.repeat(1_000_000), 5)).toBe('xxxx…');
    expect(previewText('👋'.repeat(6), 5)).toBe('👋👋👋👋…');
    expect(previewText(' \u0000 ', 5)).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const line = previewText(text, 10) ?? 'x';
        expect(line).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,10}$/u);
        expect(line).toBe(line.trim());
      }),
    );
  });

  test.each([
    [(size: number) => '<a>'.repeat(size / 5) + '</b>'.repeat(size / 10)],
    [(size: number) => '<svg>'.repeat(size / 10) + '</math>'.repeat(size / 14)],
    [(size: number) => `<meta ${'a="b" '.repeat(size / 6)}`],
    [(size: number) => '<'.repeat(size)],
    [(size: number) => '<!--'.repeat(size / 4)],
    [(size: number) => `<title>${'</titl'.repeat(size / 6)}`],
    [(size: number) => `<meta content="${'&am'.repeat(size / 3)}`],
    [(size: number) => `<title>${' '.repeat(size)}`],
  ])('reading takes time that grows with the size of the page only, whatever it is: %#', (html) => {
    const read = (size: number) => void readPage(html(size), HERE);
    expect(growthOf(read, 512 * 1024)).toBeLessThan(LINEAR);
  });

  test('data is read from any text', () => {
    const tag = fc.constantFrom(
      '<title>',
      '<meta ',
      'content="',
      '"',
      '>',
      '</',
      '<!--',
      '&#',
      ';',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, fc.string())), (parts) => {
        readPage(parts.join(''), HERE);
      }),
    );
  });
});

describe('[LP3] the encoding of a page', () => {
  const windows1251 = Uint8Array.of(0xe4, 0xe0);

  test('the encoding is that of its content type, or of its declaration, or else UTF-8', () => {
    const declared = Buffer.concat([Buffer.from('<meta charset="windows-1251">'), windows1251]);
    const old = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">';
    expect(decodePage(windows1251, 'text/html; charset="Windows-1251"')).toBe('да');
    expect(decodePage(declared, 'text/html')).toEndWith('да');
    expect(decodePage(Buffer.concat([Buffer.from(old), windows1251]), '')).toEndWith('да');
    expect(decodePage(Buffer.from('да'), 'text/html')).toBe('да');
  });

  test('the encoding is that of its byte order mark, whatever else is said', () => {
    const utf16 = Buffer.from('\ufeffда', 'utf16le');
    expect(decodePage(utf16, 'text/html; charset=utf-8')).toBe('да');
    expect(decodePage(Buffer.from('\ufeffда'), 'text/html; charset=windows-1251')).toBe('да');
  });

  const encoded = (text: string) => Buffer.concat([Buffer.from(text), windows1251]);

  test.each([
    [`<head>${'<link rel=x href=y>'.repeat(2_000)}<meta charset=windows-1251></head>`],
    [`<!-- ${'x'.repeat(5_000)} --><meta http-equiv=content-type content="a;charset='cp1251'">`],
    ['<?xml version="1.0" encoding="windows-1251"?><html>'],
    ['<!-- <meta charset=utf-8> --><meta charset=" windows-1251 ">'],
    ['<meta name=description content="charset=utf-8"><meta charset=windows-1251>'],
    ['<script>"<meta charset=utf-8>"</script><meta charset=windows-1251>'],
    ['<meta charset=klingon><meta charset=windows-1251>'],
    ['<meta charset=klingon><?xml encoding="utf-8"?><meta charset=windows-1251>'],
  ])(
    '[LP11] the encoding is declared anywhere in its head, or in an XML declaration: %#',
    (start) => {
      expect(decodePage(encoded(start), 'text/html')).toEndWith('да');
      expect(decodePage(encoded(start), 'text/html; charset=klingon')).toEndWith('да');
    },
  );

  test('[LP11] the encoding is not declared by what comes after the head', () => {
    const late = '<head></head><body><meta charset=windows-1251>';
    expect(decodePage(Buffer.from(`${late}да`), 'text/html')).toEndWith('да');
  });

  test('[LP11] the encoding of XHTML is that of its XML declaration before that of a tag', () => {
    const both = '<?xml version="1.0" encoding="windows-1251"?><meta charset="koi8-r"/>';
    expect(decodePage(encoded(both), 'application/xhtml+xml')).toEndWith('да');
    expect(decodePage(encoded(both), 'text/html')).not.toEndWith('да');
  });

  test('[LP11] the encoding of an XML declaration in UTF-16 is seen without a byte order mark', () => {
    const text = '<?xml version="1.0" encoding="utf-16"?>да';
    const little = Buffer.from(text, 'utf16le');
    expect(decodePage(little, '')).toBe(text);
    expect(decodePage(Buffer.from(little).swap16(), '')).toBe(text);
  });

  test('[LP11] the encoding is that of old pages if nobody says it and it cannot be UTF-8, even if the page is cut', () => {
    expect(decodePage(Buffer.from('caf\u00e9s', 'latin1'), 'text/html')).toBe('cafés');
    const cut = Buffer.from('да').subarray(0, 3);
    expect(decodePage(cut, 'text/html')).toBe('д\ufffd');
    expect(decodePage(Buffer.from('да'), 'text/html; charset=klingon')).toBe('да');
  });

  test('the encoding is UTF-8 if nobody knows it, and wrong bytes are replaced', () => {
    expect(decodePage(Buffer.from('да'), 'text/html; charset=klingon')).toBe('да');
    expect(decodePage(windows1251, 'text/html; charset=utf-8')).toBe('\ufffd\ufffd');
    expect(decodePage(Buffer.from('<meta charset=utf-16>да'), '')).toEndWith('да');
  });
});
