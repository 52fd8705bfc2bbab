import { expect, test } from 'bun:test';
import { canLink } from './terminal-links.ts';

test.each([
  [{}, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ TERM_PROGRAM: 'iTerm.app' }, true],
  [{ TERM_PROGRAM: 'Apple_Terminal' }, false],
  [{ TERM: 'xterm-256color', VTE_VERSION: '7600' }, true],
  [{ TERM: 'xterm-256color', VTE_VERSION: '4602' }, false],
  [{ WT_SESSION: 'x' }, true],
  [{ TERM: 'tmux-256color', KITTY_WINDOW_ID: '1' }, false],
  [{ FORCE_HYPERLINK: '1' }, true],
  [{ FORCE_HYPERLINK: '0', TERM: 'xterm-kitty' }, false],
])('[OP52] whether a terminal with %j has links: %p', (env, hasLinks) => {
  expect(canLink(env)).toBe(hasLinks);
});
