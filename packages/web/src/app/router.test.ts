import { expect, test } from 'bun:test';
import { BrowserWindow } from '../../test/support/browser-window.ts';
import { Router } from './router.ts';
import { shownBy } from './shown-at.ts';

const ROOT = 'https://home.test/below/a/proxy/';
const nameIn = ({ visit }: Router): string | undefined => visit.value.place?.name;

test.each([
  ['', 'home'],
  ['index.html', 'home'],
  ['?x=1#y', 'home'],
  ['lobby', 'lobby'],
  ['settings/name/', 'settingsPage'],
])('[WC20] an address opened cold is a place: %s', (path, name) => {
  using router = new Router(new BrowserWindow(ROOT + path), ROOT);
  expect(nameIn(router)).toBe(name);
});

test.each([`${ROOT}nothing`, 'https://home.test/lobby', 'https://other.test/below/a/proxy/lobby'])(
  '[WC20] %s is no place of this page',
  (url) => {
    using router = new Router(new BrowserWindow(url), ROOT);
    expect(router.visit.value.place).toBeUndefined();
  },
);

test('[WC21] back and forward change the place', () => {
  const window = new BrowserWindow(ROOT);
  using router = new Router(window, ROOT);
  router.go('/lobby/12');
  expect(window.location.href).toBe(`${ROOT}lobby/12`);
  expect<unknown>(router.visit.value.place?.params).toEqual({ message_id: '12' });
  window.travel(-1);
  expect(nameIn(router)).toBe('home');
  window.travel(1);
  expect(nameIn(router)).toBe('lobbyMessage');
});

test('[WC21] what was opened from this page is closed by going back, and forward opens it again', () => {
  const window = new BrowserWindow(`${ROOT}lobby/12`);
  using router = new Router(window, ROOT);
  router.go('/settings');
  router.leave(router.visit.value);
  expect([nameIn(router), window.location.href]).toEqual(['lobbyMessage', `${ROOT}lobby/12`]);
  window.travel(1);
  expect(nameIn(router)).toBe('settings');
});

test('[WC21] what was opened cold is replaced by the lobby when it is closed', () => {
  const window = new BrowserWindow(`${ROOT}settings/name`);
  using router = new Router(window, ROOT);
  router.leave(router.visit.value);
  expect([nameIn(router), window.location.href, window.length]).toEqual(['home', ROOT, 1]);
});

test('[WC21] a reloaded page still knows that it can go back', () => {
  const window = new BrowserWindow(ROOT);
  {
    using router = new Router(window, ROOT);
    router.go('/about');
  }
  using router = new Router(window, ROOT);
  router.leave(router.visit.value);
  expect([nameIn(router), window.length]).toEqual(['home', 2]);
});

test('[WC21] what is opened while the browser still goes back is opened after that', () => {
  const window = new BrowserWindow(ROOT);
  using router = new Router(window, ROOT);
  router.go('/about');
  window.isSlow = true;
  router.leave(router.visit.value);
  router.go('/settings');
  expect(nameIn(router)).toBe('about');
  window.travel(-1);
  expect([nameIn(router), window.length]).toEqual(['settings', 2]);
});

test('closing a dialog after the reader went elsewhere does nothing', () => {
  const window = new BrowserWindow(ROOT);
  using router = new Router(window, ROOT);
  router.go('/about');
  const visit = router.visit.value;
  window.travel(-1);
  router.leave(visit);
  expect(window.location.href).toBe(ROOT);
});

test('going to the place where the reader is makes another visit, and no entry in the history', () => {
  const window = new BrowserWindow(`${ROOT}lobby/12`);
  using router = new Router(window, ROOT);
  const before = router.visit.value;
  router.go('/lobby/12');
  expect(router.visit.value).not.toBe(before);
  expect(window.length).toBe(1);
});

test('[WC29][WC29a] back closes what lies over a place, and the reader stays there', () => {
  const window = new BrowserWindow(`${ROOT}lobby/12`);
  using router = new Router(window, ROOT);
  const before = router.visit.value;
  const left: string[] = [];
  const uncover = router.cover(() => left.push('picture'));
  window.travel(-1);
  expect([left, router.visit.value === before]).toEqual([['picture'], true]);
  uncover();
  window.travel(1);
  expect([left.length, router.visit.value === before, window.length]).toEqual([1, true, 2]);
});

test('[WC29] what lies over a place and is closed in another way leaves no entry before the reader', () => {
  const window = new BrowserWindow(ROOT);
  using router = new Router(window, ROOT);
  const left: string[] = [];
  const uncover = router.cover(() => left.push('picture'));
  window.isSlow = true;
  uncover();
  router.go('/about');
  window.travel(-1);
  expect([left, nameIn(router), window.length]).toEqual([[], 'about', 2]);
});

test('[WC29][WC208] a link that is followed while the browser still goes back shows its place by itself if it asks for that', () => {
  const window = new BrowserWindow(ROOT);
  using router = new Router(window, ROOT);
  const uncover = router.cover(() => {});
  window.isSlow = true;
  uncover();
  router.goTo(router.urlOf('/u/grace'), { isPage: true });
  window.travel(-1);
  expect([nameIn(router), router.visit.value.isPage]).toEqual(['user', true]);
});

test('[WC29] what lies over a place is closed when the reader goes elsewhere', () => {
  const window = new BrowserWindow(ROOT);
  using router = new Router(window, ROOT);
  const left: string[] = [];
  router.cover(() => left.push('picture'));
  router.go('/lobby/12');
  expect([left, nameIn(router), window.length]).toEqual([['picture'], 'lobbyMessage', 2]);
  window.travel(-1);
  expect(nameIn(router)).toBe('home');
});

test('[WC29] what is covered while the browser still goes back gets its entry after that', () => {
  const window = new BrowserWindow(ROOT);
  using router = new Router(window, ROOT);
  const left: string[] = [];
  const uncover = router.cover(() => left.push('one'));
  window.isSlow = true;
  uncover();
  const uncoverOther = router.cover(() => left.push('two'));
  uncoverOther();
  router.cover(() => left.push('three'));
  expect(window.length).toBe(2);
  window.travel(-1);
  expect([left, window.length]).toEqual([[], 2]);
  window.travel(-1);
  expect([left, window.location.href]).toEqual([['three'], ROOT]);
});

test('[WC29][WC29a] after a reload, nothing lies over the place, and back needs no extra step', () => {
  const window = new BrowserWindow(ROOT);
  {
    using router = new Router(window, ROOT);
    router.go('/lobby/12');
    router.cover(() => {});
  }
  using router = new Router(window, ROOT);
  window.travel(-1);
  expect(nameIn(router)).toBe('home');
  // What was closed does not come again.
  window.travel(2);
  expect([nameIn(router), window.history.state]).toEqual(['lobbyMessage', { entriesBefore: 1 }]);
});

test('[WC208] a person is shown by themselves if the reader begins there or asks for that, also after a reload', () => {
  const window = new BrowserWindow(`${ROOT}u/ada`);
  const view = () => {
    using reloaded = new Router(window, ROOT);
    return shownBy(reloaded.visit.value, true).view;
  };
  {
    using router = new Router(window, ROOT);
    expect(shownBy(router.visit.value, true)).toEqual({ view: 'user', username: 'ada' });
    expect(shownBy(router.visit.value, false).view).toBe('lobby');
    router.go('/u/grace');
    expect([shownBy(router.visit.value, true).view, view()]).toEqual(['lobby', 'lobby']);
    router.goTo(router.urlOf('/u/grace'), { isPage: true });
    expect([shownBy(router.visit.value, true).view, view()]).toEqual(['user', 'user']);
    expect(window.length).toBe(2);
  }
});
