import { quoteOf } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseMarkdown } from '@hearth/markdown';

const URL_OF_IT = 'https://chat.example.org/lobby/42';

/** The kinds of tokens in a quote's only line. */
function kindsIn(quote: string): readonly string[] | undefined {
  const parsed = parseMarkdown(`${quote}\n\ntext`);
  const [block] = parsed.kind === 'markdown' ? parsed.tokens : [];
  const [paragraph, ...others] = block?.type === 'blockquote' ? block.tokens : [];
  if (paragraph?.type !== 'paragraph' || others.length > 0) return undefined;
  return paragraph.tokens.map(({ type }) => type);
}

test('[SK7] a quote is Markdown: a link or bold text, and then an excerpt without any markup', () => {
  expect(kindsIn(quoteOf({ author: 'ada', content: 'hello' }))).toEqual(['strong', 'text']);
  const marks = fc.string({
    unit: fc.constantFrom(...'[]()*_~`|<>\\&#-!:./ w1aZ@;x'),
    maxLength: 60,
  });
  const urls = fc.constantFrom(undefined, URL_OF_IT);
  fc.assert(
    fc.property(marks, marks, urls, (author, content, url) => {
      const kinds = kindsIn(quoteOf({ author, content }, { url }));
      expect(kinds?.[0]).toBe(url === undefined ? 'strong' : 'link');
      const others = kinds?.slice(1).filter((kind) => kind !== 'text' && kind !== 'escape');
      // The parser links an address without a scheme, too.
      expect(others?.filter((kind) => kind !== 'link')).toEqual([]);
    }),
  );
});
