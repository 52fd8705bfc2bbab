import { expect, test } from 'bun:test';
import { readAll, rulesOf } from './support/spec-rules.ts';

/** The chapters whose rules are short. Add a chapter once its rules are. */
const CHAPTERS: readonly string[] = [
  'docs/spec/audit.md',
  'docs/spec/bans.md',
  'docs/spec/channel-messages.md',
  'docs/spec/channels.md',
  'docs/spec/comments.md',
  'docs/spec/communities.md',
  'docs/spec/community-invites.md',
  'docs/spec/community-streams.md',
  'docs/spec/configuration.md',
  'docs/spec/errors.md',
  'docs/spec/instance-info.md',
  'docs/spec/join-requests.md',
  'docs/spec/limits.md',
  'docs/spec/lobby.md',
  'docs/spec/lobby-accounts.md',
  'docs/spec/members.md',
  'docs/spec/message.md',
  'docs/spec/moderation.md',
  'docs/spec/outbox.md',
  'docs/spec/points.md',
  'docs/spec/polls.md',
  'docs/spec/post-lists.md',
  'docs/spec/posts.md',
  'docs/spec/reading.md',
  'docs/spec/rest.md',
  'docs/spec/search.md',
  'docs/spec/service.md',
  'docs/spec/streams.md',
  'docs/spec/versioning.md',
  'docs/spec/votes.md',
  'docs/spec/web.md',
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

/** Returns what is hard to read in the sentences of a text. */
function faultsIn(text: string): readonly string[] {
  const sentences = text.split(/(?<=[.?!][)"”]?) /);
  return [
    ...sentences.flatMap((sentence) => /^(?:Who|What|Those who)\b/.exec(sentence)?.[0] ?? []),
    ...(text.match(/\bthat with\b/g) ?? []),
  ];
}

/** Returns what is hard to read in a rule. */
function faultsOf(rule: string): readonly string[] {
  const read = prose(rule);
  const words = read.split(' ').length;
  return [...(words > MOST_WORDS ? [`has ${words} words`] : []), ...faultsIn(read)];
}

/** The paragraphs of a chapter: its blocks that are no rules, headings, tables or code. */
function paragraphsOf(chapter: string): readonly string[] {
  const blocks = chapter.replaceAll(/^```[^]*?^```$/gm, '').split(/\n\s*\n/);
  return blocks.map((block) => block.trim()).filter((block) => /^[^-|#]/.test(block));
}

const chapters = (await readAll('docs/spec/*.md')).filter(({ file }) => CHAPTERS.includes(file));
const rules = chapters.flatMap(({ file, text }) => rulesOf(file, text));

test('rules have 60 words at most, and their sentences begin with a plain subject', () => {
  const faults = rules.flatMap(({ number, file, text }) => {
    const found = faultsOf(text);
    return found.length === 0 ? [] : [`${number} in ${file}: ${found.join(', ')}`];
  });
  expect(faults).toEqual([]);
});

test('the sentences of paragraphs begin with a plain subject', () => {
  const faults = chapters.flatMap(({ file, text }) =>
    paragraphsOf(text).flatMap((paragraph) =>
      faultsIn(prose(paragraph)).map((fault) => `${file}: ${fault} in ${paragraph.slice(0, 60)}`),
    ),
  );
  expect(faults).toEqual([]);
});

test('every chapter that is checked has rules', () => {
  const checked = new Set(rules.map(({ file }) => file));
  expect(CHAPTERS.filter((file) => !checked.has(file))).toEqual([]);
});

test('paragraphs are found beside rules, tables and code', () => {
  const chapter =
    '# XY\n\nIt is.\nAnd was.\n\n| a | b |\n\n- **XY1** It.\n\n```\nWho\n```\n\nAgain.\n';
  expect(paragraphsOf(chapter)).toEqual(['It is.\nAnd was.', 'Again.']);
});

test.each<[text: string, expected: readonly string[]]>([
  ['- **XY1** The newest one counts. _(ours)_', []],
  [`- **XY1** ${'word '.repeat(MOST_WORDS)}([CM1](channel-messages.md)).`, ['has 61 words']],
  ['- **XY1** Who is banned reads.', ['Who']],
  ['- **XY1a** A post stays. What it names\n  goes. Those who see it stay.', ['What', 'Those who']],
  ['- **XY1** Members choose who may read, and what.', []],
  ['- **XY1** It shows that with the newest message.', ['that with']],
])('%p has these faults: %p', (text, expected) => {
  expect(faultsOf(text)).toEqual(expected);
});
