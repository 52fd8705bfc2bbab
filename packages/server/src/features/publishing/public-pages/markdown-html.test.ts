import { describe, expect, test } from 'bun:test';
import { plainText } from '@hearth/markdown';
import { runs } from '@hearth/testing/runs';
import fc from 'fast-check';
import { markdownHtml } from './markdown-html.ts';
import ordinaryTexts from './ordinary-texts.json' with { type: 'json' };

test('[SY4][SY5] ordinary texts keep the HTML and the words that they have', () => {
  for (const [text = '', html, words] of ordinaryTexts) {
    expect([text, markdownHtml(text), plainText(text)]).toEqual([text, html ?? '', words ?? '']);
  }
});

test.each([
  ['- שלום\n- hello', '<ul dir="rtl"><li>שלום</li><li><span dir="ltr">hello</span></li></ul>'],
  ['> שלום\n>\n> hello', '<blockquote dir="rtl"><p>שלום</p><p dir="ltr">hello</p></blockquote>'],
  ['# שלום', '<h3 dir="rtl">שלום</h3>'],
  ['hello\n\nשלום', '<p>hello</p><p dir="rtl">שלום</p>'],
  [
    '> שלום\n> ```\n> a\n> ```',
    '<blockquote dir="rtl"><p>שלום</p><pre dir="ltr"><code>a</code></pre></blockquote>',
  ],
  [
    '| א |\n|---|\n| b |',
    '<table dir="rtl"><thead><tr><th>א</th></tr></thead><tbody><tr><td dir="ltr">b</td></tr></tbody></table>',
  ],
  ['- 1', '<ul><li>1</li></ul>'],
])('[WC362][WC362a] %j is written in its direction', (content, html) => {
  expect(markdownHtml(content)).toBe(html);
});

test('[SY1][WC242] a spoiler is covered, whatever is around it', () => {
  const around = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
      '~~',
      '[',
      '](https://example.org)',
      '![',
      '](',
      '> ',
      '- ',
      '1. ',
      '# ',
      '\n',
      ' ',
    ],
    ...[
      '<b>',
      '<a title="',
      '<div>\n',
      '<!-- ',
      '-->',
      'https://example.org/',
      'a@b.org',
      'word ',
      '&#124;',
    ],
    ...[
      '[a]: ',
      '> '.repeat(12),
      '- '.repeat(12),
      '**_'.repeat(12),
      '| a |\n|---|\n',
      '\\\\',
      '"',
      '(',
      ')',
      '===\n',
    ],
  );
  const pieces = fc.array(around, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(pieces, pieces, (before, after) => {
      const content = `${before}||secret||${after}`;
      // In a table, bars divide cells.
      fc.pre(!/\|---/.test(content) && !/[|\\]$/.test(before) && !after.startsWith('|'));
      const html = markdownHtml(content);
      // Code is shown as it is.
      fc.pre(!html.includes('<code>'));
      for (const shown of [html, plainText(content)]) {
        expect([content, shown]).toEqual([content, expect.not.stringContaining('secret')]);
      }
    }),
    { numRuns: runs(500) },
  );
});

describe('[SY5] Markdown as HTML', () => {
  test.each([
    ['a *b* **c** ~~d~~ `e`', '<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>'],
    ['# a', '<h3>a</h3>'],
    ['a\nb', '<p>a<br />b</p>'],
    ['> a', '<blockquote><p>a</p></blockquote>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a', '<ol><li value="1">a</li></ol>'],
    ['```js\na < b\n```', '<pre><code>a &#60; b</code></pre>'],
    ['||a||', '<p>▇▇▇</p>'],
    ['a ||b\n\n- c|| d', '<p>a ▇▇▇ d</p>'],
    ['18. a\n2. b', '<ol><li value="18">a</li><li value="2">b</li></ol>'],
    ['2026.', '<p>2026.</p>'],
    ['#', '<p>#</p>'],
    ['```\n```', '<p>```<br />```</p>'],
    ['[a]: https://example.org', '<p>[a]: https://example.org</p>'],
    ['これは**「重要」**です', '<p>これは<strong>「重要」</strong>です</p>'],
    [
      '（https://пример.рф/）。',
      '<p>（<a href="https://xn--e1afmkfd.xn--p1ai/" rel="ugc nofollow noopener">https://пример.рф/</a>）。</p>',
    ],
    ['---', '<hr />'],
    [
      '| a |\n|---|\n| b |',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
    ],
  ])('Markdown as HTML: %j', (content, html) => {
    expect(markdownHtml(content)).toBe(html);
  });

  test('the HTML is without spoilers, also if they are nested too deeply or in a text that is too long', () => {
    for (const before of ['> '.repeat(12), 'a '.repeat(2_001), '[a]('.repeat(40_000)]) {
      const html = markdownHtml(`${before}it was ||the mole||`);
      expect(html).toContain('▇▇▇');
      expect(html).not.toContain('mole');
    }
  });

  test('the HTML has links that crawlers do not follow, and no other addresses', () => {
    expect(markdownHtml('[a](https://example.org/?b&c)')).toBe(
      '<p><a href="https://example.org/?b&#38;c" rel="ugc nofollow noopener">a</a></p>',
    );
    for (const href of ['javascript:alert(1)', 'data:text/html,x', '/relative']) {
      expect(markdownHtml(`[a](${href})`)).toBe('<p>a</p>');
    }
    expect(markdownHtml('![a](https://example.org/b.png)')).not.toContain('<img');
  });

  test('HTML is shown as it was written', () => {
    expect(markdownHtml('<script>alert(1)</script>')).toBe(
      '&#60;script&#62;alert(1)&#60;/script&#62;',
    );
    expect(markdownHtml('a <img src=x onerror=alert(1)> b')).not.toContain('<img');
  });

  test('the HTML has only elements and attributes that are written here, whatever the text is', () => {
    const piece = fc.constantFrom(
      ...[
        '<a ',
        'href="',
        "'",
        '"',
        '>',
        '<',
        '&lt;',
        '[',
        ']',
        '(',
        ')',
        'javascript:',
        '`',
        '\n',
      ],
      ...[
        'https://a.example',
        '|',
        '*',
        '_',
        '- ',
        '> ',
        '#',
        '!',
        ' ',
        'x',
        'onclick=',
        '</p>',
        '\\',
      ],
    );
    const allowed =
      /^<(\/?(p|h[3-6]|blockquote|pre|code|ul|ol|li|table|thead|tbody|tr|th|td|strong|em|del)|(hr|br) \/|a href="https?:[^"<>]*" rel="ugc nofollow noopener"|\/a)>$/;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = markdownHtml(pieces.join(''));
        for (const [tag] of html.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(allowed);
      }),
    );
  });
});
