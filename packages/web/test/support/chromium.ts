import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { test } from 'bun:test';
import { chromium, type Browser } from 'playwright-core';

const USUAL_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const isCi = process.env['CI'] === 'true';

/** Where Chromium is: what CHROMIUM names, or else the first of the usual names on the PATH. */
export const CHROMIUM_PATH = findChromium();

// CI has to have one: there the tests run, and fail without.
const isSkipped = CHROMIUM_PATH === undefined && !isCi;

/** A test that needs a browser; skipped where there is none, except in CI. */
export const browserTest = test.skipIf(isSkipped);

/** Says so where the browser tests of a file are skipped. */
export function tellIfSkipped(): void {
  if (!isSkipped) return;
  process.stderr.write(
    'SKIPPED: the browser tests of this file, for want of Chromium. Install it, or name it in CHROMIUM.\n',
  );
}

/** Starts a browser of its own, with `args` beside those it needs. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  if (CHROMIUM_PATH === undefined)
    throw new Error('there is no Chromium: install it, or name it in CHROMIUM');
  return chromium.launch({
    executablePath: CHROMIUM_PATH,
    // Chromium refuses to run as root with its sandbox.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
  });
}

function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  const names = named === undefined || named === '' ? USUAL_NAMES : [named];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
