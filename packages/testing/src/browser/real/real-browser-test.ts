import { test } from 'bun:test';
import { FIREFOX_PATH } from './firefox.ts';
import { XVFB_PATH } from './screen.ts';
import { WEBKIT_DRIVER_PATH } from './webkit.ts';

/** The programs that a machine lacks for the tests in a browser, in words; undefined if it has them all. */
export const MISSING = {
  Firefox: FIREFOX_PATH === undefined ? 'Firefox (or FIREFOX, which names it)' : undefined,
  WebKit:
    WEBKIT_DRIVER_PATH === undefined || XVFB_PATH === undefined
      ? 'WebKitWebDriver and Xvfb'
      : undefined,
} as const;

/** A test in that browser; skipped if it is missing, except in CI, where it fails. */
export function realBrowserTest(
  browser: keyof typeof MISSING,
): (title: string, run: () => Promise<void>) => void {
  const missing = MISSING[browser];
  const isSkipped = missing !== undefined && process.env['CI'] !== 'true';
  if (isSkipped) {
    process.stderr.write(
      `SKIPPED: the tests in ${browser} of this file, for want of ${missing}.\n`,
    );
  }
  return test.skipIf(isSkipped);
}
