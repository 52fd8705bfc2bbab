import { expect, test } from 'bun:test';
import { newTypedCode, typedCodeHash } from './typed-code.ts';

test('a code has groups of four letters and digits, and no two are the same', () => {
  expect(newTypedCode(4)).toMatch(/^(?:[a-km-z2-9]{4}-){3}[a-km-z2-9]{4}$/);
  expect(new Set(Array.from({ length: 100 }, () => newTypedCode(3))).size).toBe(100);
});

test('a code is the same in capital letters, without hyphens and with spaces', () => {
  const hash = typedCodeHash('k7mw-p3xd');
  for (const typed of ['K7MWP3XD', ' k7mw p3xd ', 'k7mw–p3xd\n'])
    expect(typedCodeHash(typed)).toBe(hash);
  expect(typedCodeHash('k7mw-p3xe')).not.toBe(hash);
});
