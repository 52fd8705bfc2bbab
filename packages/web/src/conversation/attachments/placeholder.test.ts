import { expect, test } from 'bun:test';
import { placeholderUrl } from './placeholder.ts';

test('[WC26][WC26b] a placeholder becomes a small picture', () => {
  expect(placeholderUrl('1QcSHQRnh493V4dIh4eXh1h4kJUI')).toStartWith('data:image/png;base64,');
});

test.each([
  ['nothing', undefined],
  ['no base64', '%%%'],
  ['too short', 'AAAA'],
  ['too long', 'A'.repeat(400)],
])('%s is not shown', (_, placeholder) => {
  expect(placeholderUrl(placeholder)).toBeUndefined();
});
