import { expect, test } from 'bun:test';
import { BrowserWindow } from '../../test/support/browser-window.ts';
import { FakeCommunities, garden } from '../../test/support/fake-communities.ts';
import { followSlug } from './follow-slug.ts';
import { Router } from './router.ts';

const ROOT = 'https://home.test/below/';

/** A page at a path, for a member of the garden. */
function openAt(first: string) {
  const window = new BrowserWindow(ROOT + first);
  const router = new Router(window, ROOT);
  const { store, news } = new FakeCommunities();
  news.communities.value = [garden()];
  followSlug(router, store);
  const path = () => window.location.href.slice(ROOT.length);
  return { window, router, news, path };
}

test.each([
  ['c/garden', 'c/orchard'],
  ['c/garden/3', 'c/orchard/3'],
  ['c/garden/3/12', 'c/orchard/3/12'],
  ['c/garden/settings', 'c/orchard/settings'],
  ['c/garden/settings/overview', 'c/orchard/settings/overview'],
])('[WC131] if the community at %s gets another slug, the reader stays there', (first, later) => {
  const { window, news, path } = openAt(first);
  news.communities.value = [garden({ slug: 'orchard' })];
  expect([path(), window.length]).toEqual([later, 1]);
});

test('[WC131] Back to a former slug leads to the community, too', () => {
  const { window, router, news, path } = openAt('c/garden/3');
  router.go('/c/garden/settings/overview');
  news.communities.value = [garden({ slug: 'orchard' })];
  window.travel(-1);
  expect(path()).toBe('c/orchard/3');
});

test("[WC131] a slug that was never one of the reader's own stays in the address", () => {
  const { news, path } = openAt('c/other/3');
  news.communities.value = [garden({ slug: 'orchard' })];
  expect(path()).toBe('c/other/3');
});
