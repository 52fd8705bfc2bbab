import { signal } from '@preact/signals';
import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { BrowserWindow } from '../../test/support/browser-window.ts';
import { followAddress } from './follow-address.ts';
import { Router } from './router.ts';

const ROOT = 'https://home.test/below/';
const [TWELVE = expect.unreachable()] = [parseId('12')];

/** A page at a path, and what it has looked for. */
function openAt(first: string) {
  const window = new BrowserWindow(ROOT + first);
  const router = new Router(window, ROOT);
  const sought = signal<Id | undefined>(undefined);
  const seeks: Id[] = [];
  const seek = (id: Id) => {
    seeks.push(id);
    sought.value = id;
  };
  followAddress(router, { seek, place: { sought } });
  const path = () => window.location.href.slice(ROOT.length);
  return { window, router, sought, seeks, path };
}

test('[WC24] the message that the address names is sought each time the reader goes there', () => {
  const { window, router, seeks, path } = openAt('lobby/12');
  expect(seeks.map(Number)).toEqual([12]);
  router.go('/lobby/12');
  router.go('/lobby/7');
  window.travel(-1);
  expect(seeks.map(Number)).toEqual([12, 12, 7, 12]);
  expect(path()).toBe('lobby/12');
});

test('[WC21] closing a dialog leaves the reader where they are', () => {
  const { router, seeks, path } = openAt('lobby/12');
  for (const dialog of ['/settings', '/about']) {
    router.go(dialog);
    router.leave(router.visit.value);
  }
  expect([seeks.length, path()]).toEqual([1, 'lobby/12']);
});

test('[WC24] the address names the message no longer once the reader has gone elsewhere', () => {
  const { window, router, sought, seeks, path } = openAt('lobby/12');
  sought.value = undefined;
  expect([path(), window.length]).toEqual(['lobby', 1]);
  router.go('/settings');
  router.leave(router.visit.value);
  expect([path(), seeks.length]).toEqual(['lobby', 1]);
  router.go('/lobby/12');
  expect([path(), seeks.length]).toEqual(['lobby/12', 2]);
});

test('[WC24] if they go elsewhere while a dialog is open, the address follows when it is closed', () => {
  const { router, sought, seeks, path } = openAt('lobby/12');
  router.go('/settings');
  sought.value = undefined;
  expect(path()).toBe('settings');
  router.leave(router.visit.value);
  expect([path(), seeks]).toEqual(['lobby', [TWELVE]]);
});
