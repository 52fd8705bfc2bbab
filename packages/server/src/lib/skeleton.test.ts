import { runs } from '@hearth/testing/runs';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { folded, skeletonOf } from './skeleton.ts';

test.each([
  ['ada', 'Ada'],
  ['ada', 'аdа'],
  ['ada', 'a\u200bda'],
  ['ada', 'ａｄａ'],
  ['ada', '𝐚𝐝𝐚'],
  ['admin', 'adrnin'],
  ['lll', '1|ℓ'],
  ['bob', 'b0b'],
  ['straße', 'STRASSE'],
  ['café', 'cafe\u0301'],
  ['a-b', 'a‐b'],
  ['paypal', 'рауpаl'],
])('[AC5] %p and %p look the same', async (one, other) => {
  expect(await skeletonOf(one)).toBe(await skeletonOf(other));
});

test.each([
  ['ada', 'adam'],
  ['ada', 'eva'],
  ['hans', 'hänß'],
  ['anna', 'änna'],
  ['__proto__', 'constructor'],
])('[AC5] %p and %p look different', async (one, other) => {
  expect(await skeletonOf(one)).not.toBe(await skeletonOf(other));
});

test('[AC5] folding twice changes nothing, and does not change what a name looks like', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (name) => {
      expect(folded(folded(name))).toBe(folded(name));
      expect(await skeletonOf(folded(name))).toBe(await skeletonOf(name));
    }),
    { numRuns: runs(300) },
  );
});
