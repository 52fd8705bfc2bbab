import { expect, test } from 'bun:test';
import { LOBBY_ID } from '../../talk/places/places.ts';
import { indexedWords } from './index-words.ts';

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
