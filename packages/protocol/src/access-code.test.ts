import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  ACCESS_CODE_LENGTH,
  accessCodeOffered,
  accessProtocols,
  isAccessCode,
} from './access-code.ts';

test.each(['kitten', 'k7mw-p3xd-9qht', '!"#$%&', '~'.repeat(ACCESS_CODE_LENGTH.max)])(
  '[MO16] %p can be an access code',
  (code) => expect(isAccessCode(code)).toBe(true),
);

test.each(['', 'short', 'with space', 'naïve code', 'line\nbreak', 'x'.repeat(65)])(
  '[MO16] %p cannot be an access code',
  (code) => expect(isAccessCode(code)).toBe(false),
);

test('[MO18] subprotocols carry any access code, in characters that subprotocols may have', () => {
  const codes = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((each) => String.fromCharCode(each)),
    minLength: 6,
    maxLength: 64,
  });
  fc.assert(
    fc.property(codes, (code) => {
      const [first = '', second = ''] = accessProtocols(code);
      expect(first).toBe('hearth');
      expect(second).toMatch(/^hearth\.access\.[\w-]+$/);
      expect(accessCodeOffered(`${first}, ${second}`)).toBe(code);
    }),
  );
});

test.each([
  [null, undefined],
  ['', undefined],
  ['chat, hearth', undefined],
  ['hearth.access.a2l0dGVu', 'kitten'],
  ['hearth,hearth.access.***', ''],
])('[MO18] subprotocols %p carry the access code %p', (header, code) => {
  expect(accessCodeOffered(header)).toBe(code);
});
