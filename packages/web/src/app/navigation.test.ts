import { expect, test } from 'bun:test';
import { BrowserWindow } from '../../test/support/browser-window.ts';
import { navigationOf } from './navigation.ts';
import { Router } from './router.ts';

const ROOT = 'https://home.test/';

test('[WC341] the reader arrives by a link, also to the same place, and by Back, but not by closing a dialog', () => {
  const window = new BrowserWindow(`${ROOT}c/garden/p/1/tulips/2`);
  using router = new Router(window, ROOT);
  const { arrival } = navigationOf(router);
  const first = arrival.value;
  router.go('/c/garden/p/1/tulips/2');
  const second = arrival.value;
  expect(second).not.toBe(first);
  router.go('/u/grace');
  expect(arrival.value).toBe(second);
  router.leave(router.visit.value);
  expect(arrival.value).toBe(second);
  router.go('/c/garden/p/1/tulips/3');
  const third = arrival.value;
  expect(third).not.toBe(second);
  window.travel(-1);
  expect(arrival.value).not.toBe(third);
});
