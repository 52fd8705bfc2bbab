import { expect, test } from 'bun:test';
import { parseMarkdown } from './parse-markdown.ts';
import type { MessageToken } from './tokens.ts';

const addressesIn = (tokens: readonly MessageToken[]) =>
  tokens
    .flatMap((token) => ('tokens' in token && token.tokens !== undefined ? token.tokens : []))
    .flatMap((token) => (token.type === 'link' ? token.href : []));

test('[WC243] links that name a long address by its label do not make a text many times as large', () => {
  const address = `https://example.org/${'a'.repeat(20_000)}`;
  const { tokens } = parseMarkdown(`[a]: ${address}\n[b]: /b\n\n${'[a]'.repeat(6_000)}[b]`);
  expect(addressesIn(tokens)).toEqual([address, address, address, address, '/b']);
  const shown = tokens.map((token) => token.raw).join('');
  expect(shown.match(/\[a\]/g)).toHaveLength(6_001);
});
