import { describe, expect, test } from 'bun:test';
import { webAddressesIn } from './addresses.ts';
import { parseMarkdown, parseText } from './parse-markdown.ts';
import type { MessageToken } from './tokens.ts';

const outline = (tokens: readonly MessageToken[]): unknown[] =>
  tokens.map((token) =>
    'tokens' in token && token.tokens !== undefined
      ? [token.type, ...outline(token.tokens)]
      : token.raw,
  );

/** A text with its tokens in brackets. */
function marked(tokens: readonly MessageToken[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens !== undefined
        ? `[${token.type}:${marked(token.tokens)}]`
        : token.raw,
    )
    .join('');
}

function addressesIn(text: string): readonly string[] {
  return parseText(text).flatMap((token) => (token.type === 'link' ? [token.href] : []));
}

const inline = (content: string): unknown[] => {
  const parsed = parseMarkdown(content);
  if (parsed.kind === 'plain') return [content];
  return outline(parsed.tokens).flatMap((paragraph) =>
    Array.isArray(paragraph) ? paragraph.slice(1) : [],
  );
};

describe('[WC30][WC242] the text of a message', () => {
  test('a text has no emphasis inside words or from single tildes', () => {
    for (const content of ['2*3*4', 'snake_case_name', 'a**b**c', 'in ~10 minutes, or ~20']) {
      expect([content, inline(content).join('')]).toEqual([content, content]);
    }
  });

  test('a text has emphasis around words, and inside of texts that do not separate words', () => {
    expect(inline('*a* **b** ~~c~~')).toEqual([
      ['em', 'a'],
      ' ',
      ['strong', 'b'],
      ' ',
      ['del', 'c'],
    ]);
    expect(inline('これは*強調*です')).toEqual(['これは', ['em', '強調'], 'です']);
  });

  test('a text has spoilers, with other marks in them', () => {
    expect(inline('it was ||the *butler*||!')).toEqual([
      'it was ',
      ['spoiler', 'the ', ['em', 'butler']],
      '!',
    ]);
    expect(inline('||a|| ||b||')).toEqual([['spoiler', 'a'], ' ', ['spoiler', 'b']]);
  });

  test('a text has spoilers in emphasis, in links and where emphasis, a link or an address would end in them', () => {
    expect(inline('**a ||b|| c**')).toEqual([['strong', 'a ', ['spoiler', 'b'], ' c']]);
    expect(inline('[a ||b||](https://example.org)')).toEqual([['link', 'a ', ['spoiler', 'b']]]);
    expect(inline('**a ||b** c||')).toEqual(['**a ', ['spoiler', 'b** c']]);
    expect(inline('[a ||b](https://example.org) c||')[1]).toContain('spoiler');
    expect(inline('https://example.org/||b||')).toEqual([
      ['link', 'https://example.org/'],
      ['spoiler', 'b'],
    ]);
    expect(inline('[a](https://example.org/||b||)').slice(1)).toEqual([
      ['link', 'https://example.org/'],
      ['spoiler', 'b'],
      ')',
    ]);
  });

  test.each([
    ['これは**「重要」**です', 'これは[strong:「重要」]です'],
    ['**この文（例）**は', '[strong:この文（例）]は'],
    ['彼は*「はい」*と言った。', '彼は[em:「はい」]と言った。'],
    ['~~（旧）~~新', '[del:（旧）]新'],
    ['我可以强调**这个`code`**吗', '我可以强调[strong:这个`code`]吗'],
    ['패키지를 **`npm publish`**를', '패키지를 [strong:`npm publish`]를'],
    ['**안녕(hello)**하세요', '[strong:안녕(hello)]하세요'],
    ['**중요**합니다', '[strong:중요]합니다'],
    ['注意：__注意事項__', '注意：[strong:注意事項]'],
    ['“︁_a_', '“︁[em:a]'],
    ['這是_不是_強調', '這是_不是_強調'],
    ['a**"b"**c', 'a**"b"**c'],
    ['**a。** b', '[strong:a。] b'],
  ])(
    '[WC244] a text has emphasis beside punctuation of Chinese, Japanese and Korean: %j',
    (text, shown) => {
      expect(marked(parseText(text))).toBe(shown);
    },
  );

  test.each([
    ['（https://example.org/a）です。', ['https://example.org/a']],
    [
      '「https://example.org/a」、https://example.org/b。次',
      ['https://example.org/a', 'https://example.org/b'],
    ],
    [
      '『https://a.example』【https://b.example】〈https://c.example〉《https://d.example》',
      ['https://a.example', 'https://b.example', 'https://c.example', 'https://d.example'],
    ],
    ['www.example.org！次', ['http://www.example.org']],
    ['“https://example.org/a”', ['https://example.org/a']],
    ['«https://example.org/a»…', ['https://example.org/a']],
    ['انظر https://example.org/a، ثم', ['https://example.org/a']],
    ['https://ja.example.org/wiki/日本', ['https://ja.example.org/wiki/日本']],
    ['https://fr.example.org/L’Équipe', ['https://fr.example.org/L’Équipe']],
  ])('[WC245] %j has the addresses %j, without the punctuation after them', (text, addresses) => {
    expect(addressesIn(text)).toEqual([...addresses]);
    expect(webAddressesIn(text).map(({ href }) => href)).toEqual([...addresses]);
  });

  test.each([
    'https://пример.рф/',
    'https://例え.jp/a',
    'http://ελλάδα.gr',
    'https://𐍅𐌿𐌻𐍆.example/',
  ])('[WC245] the address %j begins with a letter of any script, and is a link', (address) => {
    expect(addressesIn(`see ${address} and`)).toEqual([address]);
    expect(webAddressesIn(`see ${address} and`).map(({ href }) => href)).toEqual([address]);
  });

  test('[WC242] a text has no spoiler in an address in brackets', () => {
    for (const text of ['<https://example.org/||b||>', '[](<https://example.org/||b||>)']) {
      expect(marked(parseText(text))).toContain('[spoiler:b]');
    }
  });

  test('[WC242][WC242a] emphasis is nested to a depth, and what is deeper is text', () => {
    const deep = `${'*a '.repeat(20)}||b||${'*'.repeat(20)}`;
    const text = marked(parseText(deep));
    expect(text).toContain('[spoiler:b]');
    expect(text.split('[em:').length - 1).toBe(8);
    expect(text.replaceAll(/\[em:|\[spoiler:b\]|\]/g, '')).toBe(
      `${'a '.repeat(8)}${'*a '.repeat(12)}${'*'.repeat(12)}`,
    );
  });

  test('a text has no spoiler in code, from bars with spaces, or without an end', () => {
    expect(inline('`||a||`')).toEqual(['`||a||`']);
    for (const content of ['a || b || c', '||', '||||', '||a']) {
      expect([content, inline(content).join('')]).toEqual([content, content]);
    }
  });
});
