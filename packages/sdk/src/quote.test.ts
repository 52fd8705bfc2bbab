import { countCodePoints } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { growthOf, LINEAR } from '@hearth/testing/growth';
import fc from 'fast-check';
import { plainTextOf, quoteOf, readQuote, replyTo } from './quote.ts';

const URL_OF_IT = 'https://chat.example.org/lobby/42';
const EXCERPT = 80;

const excerptOf = (content: string) => readQuote(quoteOf({ author: 'ada', content }))?.excerpt;

describe('[SK7] a quote', () => {
  test('a quote is one line of Markdown with the author and an excerpt', () => {
    const message = { author: 'ada', content: 'good *evening*\neveryone' };
    expect(quoteOf(message)).toBe('> **ada**: good evening');
    expect(quoteOf(message, { url: URL_OF_IT })).toBe(`> [ada](${URL_OF_IT}): good evening`);
  });

  test('a quote begins a reply, before an empty line', () => {
    const reply = replyTo({ author: 'ada', content: 'hello' }, 'good\n\nevening', {
      url: URL_OF_IT,
    });
    expect(reply).toBe(`> [ada](${URL_OF_IT}): hello\n\ngood\n\nevening`);
    expect(readQuote(reply)).toEqual({
      author: 'ada',
      excerpt: 'hello',
      url: URL_OF_IT,
      text: 'good\n\nevening',
    });
  });

  test('a quote escapes what would be markup, and is read as it was meant', () => {
    const message = { author: '_[x](y)* \\', content: 'a [b] <i> &amp; c_d 2 * 3 ~ 4 | 5 _e' };
    const quote = quoteOf(message);
    expect(quote).toBe(
      '> **\\_\\[x\\](y)\\* \\\\**: a \\[b\\] \\<i\\> \\&amp; c_d 2 \\* 3 \\~ 4 \\| 5 \\_e',
    );
    expect(readQuote(quote)).toMatchObject({ author: message.author, excerpt: message.content });
  });

  test('a quote has a link that nothing in the address ends', () => {
    const quote = quoteOf({ author: 'ada', content: 'x' }, { url: 'https://h/a(b) c\\<d>' });
    expect(quote).toBe('> [ada](https://h/a%28b%29%20c%5C%3Cd%3E): x');
  });

  test('a quote is read back, whatever the message contains', () => {
    const texts = fc.string({ unit: 'binary', minLength: 1 });
    const markup = fc.string({ unit: fc.constantFrom(...'[]()*_~`|<>\\&#-:/> htps.x1\n') });
    const content = fc.oneof(texts, markup);
    fc.assert(
      fc.property(content, content, fc.constantFrom(undefined, URL_OF_IT), (author, said, url) => {
        const quote = quoteOf({ author, content: said }, { url });
        expect(quote).not.toMatch(/[\n\r\u2028\u2029]/);
        const read = readQuote(replyTo({ author, content: said }, 'text', { url }));
        expect(read).toMatchObject({ url, text: 'text' });
        expect(read?.author).not.toBe('');
        expect(countCodePoints(read?.excerpt ?? '')).toBeLessThanOrEqual(EXCERPT + 1);
        expect(read?.excerpt).not.toMatch(/https?:\/\//i);
      }),
    );
  });
});

test.each([
  'hello',
  '> hello\n\nI agree',
  '> **ada**: hello\nand more of the quote',
  '> **ada** hello\n\nx',
  '> [ada](javascript:alert(1)): x\n\ny',
  ' > **ada**: x\n\ny',
  'x\n> **ada**: x\n\ny',
])('[SK7] %j does not begin with such a quote', (content) => {
  expect(readQuote(content)).toBeUndefined();
});

describe('[SK8] the excerpt', () => {
  test.each([
    ['one line', 'one line'],
    ['\n\n  the first   line \t of words\nanother', 'the first line of words'],
    ['> **bob**: hello\n\nI agree', 'I agree'],
    ['> only a quote\n> of two lines', 'only a quote'],
    ['```ts\nconst x = 1;\n```', 'const x = 1;'],
    ['---\nafter a rule', 'after a rule'],
    ['## A heading', 'A heading'],
    ['- an item', 'an item'],
    ['18. September', '18. September'],
    ['it was ||the\n\nmole|| again', 'it was ▇▇▇ again'],
    ['a\\||b||', 'a||b||'],
    ['**bold _and_ italic** ~~gone~~ `code`', 'bold and italic gone code'],
    ['snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4'],
    ['see [the page](https://example.org/x)', 'see the page'],
    ['https://chat.example.org/files/42', 'chat.example.org/files/42'],
    ['hthttps://tps://example.org', 'example.org'],
    ['the butler ||did\nit||, really', 'the butler ▇▇▇, really'],
    ['||all of it||', '▇▇▇'],
    ['not \\*bold\\*', 'not *bold*'],
    ['🔥', '🔥'],
    ['red\u202eesrever', 'red esrever'],
    ['!!!', '!!!'],
    ['```', '```'],
    ['', ''],
  ])('the excerpt of %j is %j', (content, excerpt) => {
    expect(excerptOf(content)).toBe(excerpt);
  });

  test('the excerpt has at most 80 characters, and is not cut within one', () => {
    expect(excerptOf('x'.repeat(80))).toBe('x'.repeat(80));
    expect(excerptOf('x'.repeat(81))).toBe(`${'x'.repeat(80)}…`);
    const family = '👩‍👩‍👧‍👦';
    expect(excerptOf(`${'x'.repeat(76)}${family}`)).toBe(`${'x'.repeat(76)}…`);
    expect(excerptOf(`${'x'.repeat(73)}${family}`)).toBe(`${'x'.repeat(73)}${family}`);
  });

  test('the excerpt takes time that grows with the length of a message of markup only', () => {
    for (const unit of ['*', '||', '[', '**a', '\\', '> ', '`', '_a', '||a', 'http']) {
      const quote = (size: number) => void quoteOf({ author: 'ada', content: unit.repeat(size) });
      expect([unit, growthOf(quote, 50_000) < LINEAR]).toEqual([unit, true]);
    }
  });
});

test('[SK9] a reply that is too long for the instance loses its excerpt, and then its quote', () => {
  const message = { author: 'ada', content: 'good evening' };
  const reply = (messageLimit: number) => replyTo(message, '😀😀', { messageLimit });
  expect(reply(27)).toBe('> **ada**: good evening\n\n😀😀');
  expect(reply(26)).toBe('> **ada**\n\n😀😀');
  expect(reply(13)).toBe('> **ada**\n\n😀😀');
  expect(reply(12)).toBe('😀😀');
  expect(readQuote(reply(26))).toEqual({
    author: 'ada',
    excerpt: '',
    url: undefined,
    text: '😀😀',
  });
});

test.each([
  ['**Hello** _there_, `x`', 'Hello there, x'],
  ['# Title\n- one\n- two', 'Title\none\ntwo'],
  ['see <https://example.org/a> and [this](https://example.org/b)', 'see and this'],
  ['it was ||the butler||', 'it was ▇▇▇'],
  ['> **ada**: good evening\n\nand to you', 'and to you'],
  ['> only a quote', 'only a quote'],
  ['```ts\nlet a = 1;\n```', 'let a = 1;'],
  ['https://example.org/file', ''],
])('[SK14] the plain text of %j is %j', (content, plain) => {
  expect(plainTextOf(content)).toBe(plain);
});
