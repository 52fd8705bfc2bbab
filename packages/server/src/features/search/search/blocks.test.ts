import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { runs } from '@hearth/testing/runs';
import {
  blocksUpTo,
  hitOf,
  hitsInAll,
  largestBlock,
  numbersIn,
  numbersOf,
  type Block,
} from './blocks.ts';

const MOST = 40_000;

test('[SE12] however many messages are written at a time, the blocks that are searched were all indexed, and have each message once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 60 }), (writes) => {
      const indexed = new Set<string>();
      let written = 0;
      let reached = 0;
      for (const count of writes) {
        written = Math.min(MOST, written + count);
        for (;;) {
          const block = largestBlock(reached + 1, written);
          if (block === undefined) break;
          indexed.add(JSON.stringify(block));
          reached = numbersOf(block).last;
        }
        let next = reached;
        for (const { size, first, last } of blocksUpTo(reached)) {
          for (let index = last; index >= first; index -= 1) {
            const block: Block = { size, index };
            expect(indexed).toContain(JSON.stringify(block));
            expect(numbersOf(block).last).toBe(next);
            next = numbersOf(block).first - 1;
          }
        }
        expect(next).toBe(0);
        expect(written - reached).toBeLessThanOrEqual(128);
      }
    }),
    { numRuns: runs(20) },
  );
});

test('[SE2] the hits of several words in a block are in order, and each is there once', () => {
  const block = { size: 8_192, index: 3 };
  const { first, last } = numbersOf(block);
  const hits = (...numbers: readonly number[]) =>
    numbers.map((number) => hitOf(number, block.size)).join('');
  expect(numbersIn('', block)).toEqual([]);
  expect(numbersIn(hits(first, first + 9, last), block)).toEqual([last, first + 9, first]);
  const both = hits(first, first + 9) + hits(first + 4, first + 9, last);
  expect(numbersIn(both, block)).toEqual([last, first + 9, first + 4, first]);
});

test('[SE3] the hits of a block that all words have are found', () => {
  const hits = (...numbers: readonly number[]) =>
    numbers.map((number) => hitOf(number, 8_192)).join('');
  const [first, last] = [1, 8_192];
  expect(hitsInAll([])).toBe('');
  expect(hitsInAll([hits(first, last)])).toBe(hits(first, last));
  const texts = [hits(7, first, last, 9), hits(first, 5, 6, 7, last), hits(first, 4, last)];
  expect(hitsInAll(texts)).toBe(hits(first, last));
  expect(hitsInAll([...texts, ''])).toBe('');
});
