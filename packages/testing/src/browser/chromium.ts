import { test } from 'bun:test';
import { chromium, type Browser, type BrowserServer, type LaunchOptions } from 'playwright-core';
import { findProgram } from '../find-program.ts';

const USUAL_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const isCi = process.env['CI'] === 'true';

/** The path of Chromium: the one in CHROMIUM, or else the first of the usual names on the PATH. */
export const CHROMIUM_PATH = findChromium();

// CI must have Chromium: the tests are not skipped there, and fail without it.
const isSkipped = CHROMIUM_PATH === undefined && !isCi;

/** A test that needs a browser; skipped if there is none, except in CI. */
export const browserTest = test.skipIf(isSkipped);

/** Reports that the browser tests of a file are skipped. */
export function warnIfSkipped(): void {
  if (!isSkipped) return;
  process.stderr.write(
    'SKIPPED: the browser tests of this file, for want of Chromium. Install it, or name it in CHROMIUM.\n',
  );
}

/** Starts a separate browser, with `args` in addition to those that it needs. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch(launchOptions(args));
}

/** Starts a browser for several processes; see {@link connectToChromium}. On a signal, this process must close it. */
export function startChromiumServer(): Promise<BrowserServer> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launchServer({ ...launchOptions(), ...signals, host: '127.0.0.1' });
}

/** Connects to the browser at this address. Closing it closes only what was opened over this connection. */
export function connectToChromium(address: string): Promise<Browser> {
  return chromium.connect(address);
}

function launchOptions(args: readonly string[] = []): LaunchOptions {
  if (CHROMIUM_PATH === undefined)
    throw new Error('there is no Chromium: install it, or name it in CHROMIUM');
  // Chromium refuses to run as root with its sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath: CHROMIUM_PATH, args: [...sandbox, ...args] };
}

function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  const names = named === undefined || named === '' ? USUAL_NAMES : [named];
  return findProgram(names, ['/usr/bin']);
}
