import { foldText, wordSplitter } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { partsOf } from './split-text.ts';

const split = wordSplitter();
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...' \n\u3000,!?;。、\'"״’.:_-aZ1éßΣςјёאבךلاكـَกำ東京がｶﾞ각각🇫🇷\u200b\u200d\ufeff\u0301',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 200,
});

test('[SE3] the parts of a long text have its words', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parts = partsOf(text, 3);
      expect(parts.join('')).toBe(text);
      expect(parts.flatMap((part) => split(foldText(part)))).toEqual([...split(foldText(text))]);
    }),
    { numRuns: 5_000 },
  );
  expect(partsOf('жил да был'.repeat(10), 20).length).toBeGreaterThan(4);
});
