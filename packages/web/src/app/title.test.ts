import { expect, test } from 'bun:test';
import { findWebPlace } from '@hearth/protocol';
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
  ['/invite/k7mwp3xd9qht', `${en.shell.places.register} · Ember`],
  ['/u/ada', '@ada · Ember'],
  ['/about', `${en.shell.places.about} · Ember`],
  ['/c/gardens', `${en.shell.places.notFoundTitle} · Ember`],
  ['/settings/nothing', `${en.shell.places.notFoundTitle} · Ember`],
  ['/lobby/x', `${en.shell.places.notFoundTitle} · Ember`],
  ['/nothing', `${en.shell.places.notFoundTitle} · Ember`],
])('[WC21] the place %s has the title %s', (path, title) => {
  expect(nameOf(shownAt(findWebPlace(path)), 'Ember', en.shell)).toBe(title);
});
