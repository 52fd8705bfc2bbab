import { expect, test } from 'bun:test';
import { channel, FakeCommunities, garden, idOf } from '../../../test/support/fake-communities.ts';
import { enCommunities } from '../../text/en/communities.ts';
import { allPlaces, findPlaces } from './find-places.ts';

function places() {
  const fake = new FakeCommunities();
  fake.news.communities.value = [
    garden({
      channels: [channel('2', 'general'), channel('3', 'tool-shed'), channel('4', 'KIŞ كَتَبَ')],
    }),
    garden({ id: idOf('5'), name: 'Bäckerei', slug: 'baker', channels: [channel('6', 'general')] }),
  ];
  fake.news.marks.value = new Map([[idOf('6'), { isUnread: true, mentions: 1 }]]);
  return allPlaces(fake.store, enCommunities);
}

const named = (typed: string) =>
  findPlaces(places(), typed).map(({ name, context }) =>
    context === undefined ? name : `${context} ${name}`,
  );

test('[WC139] without words, places with mentions come first', () => {
  expect(named('').slice(0, 2)).toEqual(['Bäckerei', 'Bäckerei general']);
  expect(named('')).toContain(enCommunities.switcher.settingsOf('Lantern Garden'));
});

test.each([
  ['gen', ['Bäckerei general', 'Lantern Garden general']],
  ['#gen gard', ['Lantern Garden general']],
  ['shed', ['Lantern Garden tool-shed']],
  ['BACK', ['Bäckerei', 'Settings of Bäckerei', 'Bäckerei general']],
  ['kış', ['Lantern Garden KIŞ كَتَبَ']],
  ['كتب', ['Lantern Garden KIŞ كَتَبَ']],
  ['nothing at all', []],
])('[WC139] %s finds %j', (typed, expected) => {
  expect(named(typed)).toEqual(expected);
});
