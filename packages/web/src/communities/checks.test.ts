import { expect, test } from 'bun:test';
import { enCommunities } from '../text/en/communities.ts';
import { channelNames, checkCommunityName, checkSlug, slugFrom } from './checks.ts';

const { create: words } = enCommunities;

test.each([
  ['Lantern Garden', 'lantern-garden'],
  ['Äpfel & Straße', 'apfel-strasse'],
  ['  --Café--  ', 'cafe'],
  ['東京', ''],
  ['a'.repeat(40), 'a'.repeat(32)],
])('[WC134] the name %s suggests the address %s', (name, slug) => {
  expect(slugFrom(name)).toBe(slug);
});

test.each([
  ['garden', undefined],
  ['g', words.slugLength],
  ['x'.repeat(33), words.slugLength],
  ['-garden', words.slugCharacters],
  ['gär ten', words.slugCharacters],
  ['admin', words.slugReserved],
])('[WC134][WC134a] what is wrong with the address %s is said: %s', (slug, problem) => {
  expect(checkSlug(slug, words)).toBe(problem);
});

test('[WC134] a name has 2 to 64 characters, not counting spaces around it', () => {
  expect(checkCommunityName(' a ', words)).toBe(words.nameShort);
  expect(checkCommunityName('🏡🏡', words)).toBeUndefined();
  expect(checkCommunityName('🏡'.repeat(65), words)).toBe(words.nameLong);
});

test('first channels are given one on each line', () => {
  expect(channelNames('general\n\n #tools \ngeneral\n')).toEqual(['general', 'tools']);
});
