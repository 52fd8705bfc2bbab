import { expect, test } from 'bun:test';
import { beginningOf } from './fold.ts';
import { withoutSpoilers } from './spoilers.ts';

test.each([
  ['it was ||the mole||, and ||the\nfox||', 'it was ▇▇▇, and ▇▇▇'],
  ['a || b, || c', 'a || b, || c'],
  ['\\||a||b|| c', '\\||a▇▇▇ c'],
  ['write `a||b` (||the mole||), please', 'write `a▇▇▇), please'],
  ['`||`||the mole||', '`▇▇▇'],
])('[SY1] %j without spoilers is %j', (text, expected) => {
  expect(withoutSpoilers(text)).toBe(expected);
});

test.each([
  ['short ||secret||', 20, 'short ||secret||'],
  ['it was ||the mole||, they say', 12, 'it was '],
  ['it was ||the mole||, they say', 18, 'it was '],
  ['it was ||the mole||, they say', 19, 'it was ||the mole||'],
  ['||a|| or ||b||, then', 12, '||a|| or '],
  ['if (a || b) return, then what', 12, 'if (a || b) '],
  ['\\||a||b||, then', 7, '\\||a'],
  ['🌷🌷', 3, '🌷'],
])('[SY1] the beginning of %j with at most %d is %j', (text, most, expected) => {
  expect(beginningOf(text, most)).toBe(expected);
});
