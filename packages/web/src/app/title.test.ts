import { expect, test } from 'bun:test';
import { findWebPlace } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import { FakeCommunities, garden } from '../../test/support/fake-communities.ts';
import { en } from '../text/en.ts';
import { shownAt } from './shown-at.ts';
import { nameOf, titleOf } from './title.ts';

test('the title shows how many messages are unread, as far as they can be counted', () => {
  expect(titleOf('Ember', 0)).toBe('Ember');
  expect(titleOf('Ember', 3)).toBe('(3) Ember');
  expect(titleOf('Ember', 1000)).toBe('(99+) Ember');
});

test.each([
  ['/', 'Ember'],
  ['/lobby/12', 'Ember'],
  ['/settings', `${en.shell.places.settings} · Ember`],
  ['/settings/name', `${en.shell.places.settings} · Ember`],
  ['/settings/profile', `${en.shell.places.settings} · Ember`],
  ['/sign-in', `${en.shell.places.signIn} · Ember`],
  ['/invite/k7mwp3xd9qht', `${en.shell.places.invite} · Ember`],
  ['/communities', `${en.shell.places.communities} · Ember`],
  ['/communities/new', `${en.shell.places.newCommunity} · Ember`],
  ['/u/ada', '@ada · Ember'],
  ['/about', `${en.shell.places.about} · Ember`],
  ['/c/garden', 'Lantern Garden · Ember'],
  ['/c/garden/3', '#tools · Lantern Garden · Ember'],
  ['/c/garden/settings/roles', `${en.shell.places.settings} · Lantern Garden · Ember`],
  ['/c/unknown', 'Ember'],
  ['/c/nothing', `${en.shell.places.notFoundTitle} · Ember`],
  ['/c/garden/x', `${en.shell.places.notFoundTitle} · Ember`],
  ['/settings/nothing', `${en.shell.places.notFoundTitle} · Ember`],
  ['/lobby/x', `${en.shell.places.notFoundTitle} · Ember`],
  ['/nothing', `${en.shell.places.notFoundTitle} · Ember`],
])('[WC21] the place %s has the title %s', async (path, title) => {
  const { store: communities, news } = new FakeCommunities({
    findBySlug: () => Promise.reject(new NotFoundError('nothing')),
  });
  news.communities.value = [garden()];
  await communities.shown.visit('nothing');
  const words = { places: en.shell.places, communities };
  expect(nameOf(shownAt(findWebPlace(path)), 'Ember', words)).toBe(title);
});
