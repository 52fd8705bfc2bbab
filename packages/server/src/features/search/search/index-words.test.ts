import { searchTerms } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { LOBBY_ID } from '../../talk/places/places.ts';
import { indexedWords, lookedUp } from './index-words.ts';
import { split } from './wanted.ts';

const marksOf = (text: string) => {
  const entry = { placeId: LOBBY_ID, userId: '', author: 'ada', text, files: [] } as const;
  const words = indexedWords({ kind: 'lobby', ...entry }, undefined, []);
  return [':link', ':file'].filter((mark) => words.has(mark));
};

test.each([
  ['see https://files.example/42', [':link', ':file']],
  ['see http://a.example/http://files.example/42', [':link', ':file']],
  ['see https://a.example/b 42/7', [':link']],
  ['see a.example/42', []],
])('[SE6] what is indexed of %j is %j', (content, marks) => {
  expect(marksOf(content)).toEqual(marks);
});

test('[SE6] each of many addresses in a row is read once', () => {
  expect(marksOf('http://a'.repeat(125_000))).toEqual([':link']);
});

test.each([
  ['a b '.repeat(50), 2],
  ['a b c d e f g h a c e g b d f h a d g b e h c f', 8],
])(
  '[SE9] pairs of the words of a phrase are looked up once, and at most eight: %j',
  (words, count) => {
    const terms = searchTerms(`"${words}"`, split);
    const wanted = { terms, from: undefined, has: undefined };
    const { pairs } = lookedUp(wanted, { kinds: ['posts'], authors: [] });
    expect(pairs).toHaveLength(count);
    expect(new Set(pairs.map(String)).size).toBe(count);
  },
);
