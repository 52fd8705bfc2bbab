import { expect, test } from 'bun:test';
import { acceptedFormat } from './accepted-format.ts';

test.each([
  [undefined, 'webp'],
  ['', 'webp'],
  ['*/*', 'webp'],
  ['image/*', 'webp'],
  ['text/html', 'plain'],
  ['image/png,image/jpeg;q=0.5', 'plain'],
  ['image/png, */*;q=0', 'plain'],
  ['*/*, image/webp;q=0', 'plain'],
  ['image/webp', 'webp'],
  ['IMAGE/WebP ; q=0.1', 'webp'],
  ['image/avif', 'avif'],
  ['image/webp,image/avif;q=0.5', 'avif'],
  ['image/avif;q=0,*/*', 'webp'],
  ['image/avif;q=0.000', 'plain'],
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
  ['image/webp;q=x', 'plain'],
  ['image/webp;q=x,*/*;q=0.5', 'plain'],
  ['image/avif;q=2,image/webp', 'webp'],
  [',;,;q=,', 'plain'],
] as const)('[FS31] Accept: %s allows %s', (accept, format) => {
  expect(acceptedFormat(accept)).toBe(format);
});
