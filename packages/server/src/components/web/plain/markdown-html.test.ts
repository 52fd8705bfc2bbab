import { describe, expect, test } from 'bun:test';
import { runs } from '@hearth/testing/runs';
import fc from 'fast-check';
import { markdownHtml } from './markdown-html.ts';
import { markdownText } from './markdown-text.ts';
import ordinaryTexts from './ordinary-texts.json' with { type: 'json' };

test('[SY4][SY5] ordinary texts keep the HTML and the words that they have', () => {
  for (const [text = '', html, words] of ordinaryTexts) {
    expect([text, markdownHtml(text), markdownText(text)]).toEqual([text, html ?? '', words ?? '']);
  }
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
      for (const shown of [html, markdownText(content)]) {
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
    ['1. a', '<ol><li>a</li></ol>'],
    ['```js\na < b\n```', '<pre><code>a &#60; b</code></pre>'],
    ['||a||', '<p>[…]</p>'],
    ['---', '<hr />'],
    [
      '| a |\n|---|\n| b |',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
    ],
  ])('of %j', (content, html) => {
    expect(markdownHtml(content)).toBe(html);
  });

  test('is without spoilers, also if they are nested too deeply or in a text that is too long', () => {
    for (const before of ['> '.repeat(12), 'a '.repeat(2_001), '[a]('.repeat(40_000)]) {
      const html = markdownHtml(`${before}it was ||the mole||`);
      expect(html).toContain('[…]');
      expect(html).not.toContain('mole');
    }
  });

  test('has links that crawlers do not follow, and no other addresses', () => {
    expect(markdownHtml('[a](https://example.org/?b&c)')).toBe(
      '<p><a href="https://example.org/?b&#38;c" rel="ugc nofollow noopener">a</a></p>',
    );
    for (const href of ['javascript:alert(1)', 'data:text/html,x', '/relative']) {
      expect(markdownHtml(`[a](${href})`)).toBe('<p>a</p>');
    }
    expect(markdownHtml('![a](https://example.org/b.png)')).not.toContain('<img');
  });

  test('shows HTML as it was written', () => {
    expect(markdownHtml('<script>alert(1)</script>')).toBe(
      '&#60;script&#62;alert(1)&#60;/script&#62;',
    );
    expect(markdownHtml('a <img src=x onerror=alert(1)> b')).not.toContain('<img');
  });

  test('has only elements and attributes that are written here, whatever the text is', () => {
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
