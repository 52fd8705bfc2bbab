import { expect, test } from 'bun:test';
import { BrowserWindow } from '../../test/support/browser-window.ts';
import { followInvite } from './follow-invite.ts';
import { Router } from './router.ts';

const ROOT = 'https://home.test/below/';

test.each([
  ['#invite=k7mwp3xd9qht', 'register#invite=k7mwp3xd9qht'],
  ['#code=secret', '#code=secret'],
  ['lobby#invite=k7mwp3xd9qht', 'lobby#invite=k7mwp3xd9qht'],
])('[WC102] the link %p shows %p', (link, shown) => {
  const window = new BrowserWindow(ROOT + link);
  using router = new Router(window, ROOT);
  const stop = followInvite(router, () => window.location.href);
  expect(window.location.href).toBe(ROOT + shown);
  stop();
});
