import { expect, test } from 'bun:test';
import { readRules, type Rule } from './support/spec-rules.ts';

/** The chapters whose rules are short. Add a chapter once its rules are. */
const CHAPTERS: readonly string[] = [
  'docs/spec/communities.md',
  'docs/spec/channels.md',
  'docs/spec/channel-messages.md',
  'docs/spec/posts.md',
  'docs/spec/comments.md',
  'docs/spec/votes.md',
];

const MOST_WORDS = 60;

/** The text of a rule as it is read: without its number, targets of links and the note whose rule it is. */
function prose(text: string): string {
  return text
    .replace(/^[-*] \*\*\w+\*\*/, '')
    .replaceAll(/\]\([^)\s]*\)/g, ']')
    .replaceAll(/_\((?:partly )?ours\)_/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** What is hard to read in a rule. */
function faultsOf({ text }: Pick<Rule, 'text'>): readonly string[] {
  const read = prose(text);
  const words = read.split(' ').length;
  const sentences = read.split(/(?<=[.?!][)"”]?) /);
  return [
    ...(words > MOST_WORDS ? [`has ${words} words`] : []),
    ...sentences.flatMap((sentence) => /^(?:Who|What|Those who)\b/.exec(sentence)?.[0] ?? []),
    ...(read.match(/\bthat with\b/g) ?? []),
  ];
}

const rules = (await readRules()).filter(({ file }) => CHAPTERS.includes(file));

test('rules have 60 words at most, and their sentences begin with a plain subject', () => {
  const faults = rules.flatMap((rule) => {
    const found = faultsOf(rule);
    return found.length === 0 ? [] : [`${rule.number} in ${rule.file}: ${found.join(', ')}`];
  });
  expect(faults).toEqual([]);
});

test('every chapter that is checked has rules', () => {
  const checked = new Set(rules.map(({ file }) => file));
  expect(CHAPTERS.filter((file) => !checked.has(file))).toEqual([]);
});

test.each<[text: string, expected: readonly string[]]>([
  ['- **XY1** The newest one counts. _(ours)_', []],
  [`- **XY1** ${'word '.repeat(MOST_WORDS)}([CM1](channel-messages.md)).`, ['has 61 words']],
  ['- **XY1** Who is banned reads.', ['Who']],
  ['- **XY1a** A post stays. What it names\n  goes. Those who see it stay.', ['What', 'Those who']],
  ['- **XY1** Members choose who may read, and what.', []],
  ['- **XY1** It shows that with the newest message.', ['that with']],
])('%p has these faults: %p', (text, expected) => {
  expect(faultsOf({ text })).toEqual(expected);
});
