import { describe, test } from 'bun:test';
import { chromium, type Browser, type BrowserServer, type LaunchOptions } from 'playwright-core';
import { findProgram } from '../find-program.ts';

const USUAL_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const isCi = process.env['CI'] === 'true';

const DISABLE = '--disable-features=';

/** Chromium uses only the last list of disabled features, so this one repeats those that Playwright disables. */
const DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
  // Each window gets a second process, in case its page goes to another site.
  'SpareRendererForSitePerProcess',
  // Each window loads two pages for its address bar, even if nobody sees one. That takes half a second of a core.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/**
 * Turns off the optimising compilers. They take a sixth of the processor time, which only pages of the long tier run for
 * long enough to win back.
 */
const UNOPTIMISED = '--js-flags=--no-maglev,--no-turbofan';

/** The path of Chromium: the one in CHROMIUM, or else the first of the usual names on the PATH. */
export const CHROMIUM_PATH = findChromium();

/**
 * Debian's build of Chromium that never has windows. It shows and runs pages as Chromium does, in two thirds of the
 * processor time, but has no notifications. Without it, or if CHROMIUM names another browser, that one does everything.
 */
const SHELL_PATH = isNamed() ? undefined : findProgram(['chromium-headless-shell'], ['/usr/bin']);

// CI must have Chromium: the tests are not skipped there, and fail without it.
const isSkipped = CHROMIUM_PATH === undefined && !isCi;

/** A test that needs a browser; skipped if there is none, except in CI. */
export const browserTest = test.skipIf(isSkipped);

/** Tests that share what they do in a browser beforehand; skipped as `browserTest` is. */
export const browserDescribe = describe.skipIf(isSkipped);

/** Reports that the browser tests of a file are skipped. */
export function warnIfSkipped(): void {
  if (!isSkipped) return;
  process.stderr.write(
    'SKIPPED: the browser tests of this file, for want of Chromium. Install it, or name it in CHROMIUM.\n',
  );
}

/** Starts a separate browser: the complete one, as people have it. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch(launchOptions(CHROMIUM_PATH));
}

/** Starts a separate browser for tests that need only what pages show and run. */
export function launchShell(): Promise<Browser> {
  return chromium.launch(launchOptions(SHELL_PATH ?? CHROMIUM_PATH));
}

/**
 * Starts such a browser for several processes; see {@link connectToChromium}. On a signal, this process must close it.
 * With `isLong`, its pages have much to compute.
 */
export async function startChromiumServer({
  isLong,
}: {
  readonly isLong: boolean;
}): Promise<BrowserServer> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const server = await chromium.launchServer({
    ...launchOptions(SHELL_PATH ?? CHROMIUM_PATH, isLong ? [] : [UNOPTIMISED]),
    ...signals,
    host: '127.0.0.1',
  });
  const lost = featuresThatPlaywrightDisables(server).filter(
    (name) => !DISABLED_FEATURES.includes(name),
  );
  if (lost.length === 0) return server;
  await server.close();
  throw new Error(`Playwright disables features that Chromium here would not: ${lost.join(', ')}`);
}

function featuresThatPlaywrightDisables(server: BrowserServer): readonly string[] {
  const [theirs = ''] = server.process().spawnargs.filter((word) => word.startsWith(DISABLE));
  return theirs.slice(DISABLE.length).split(',');
}

/** Connects to the browser at this address. Closing it closes only what was opened over this connection. */
export function connectToChromium(address: string): Promise<Browser> {
  return chromium.connect(address);
}

function launchOptions(
  executablePath: string | undefined,
  others: readonly string[] = [UNOPTIMISED],
): LaunchOptions {
  if (executablePath === undefined)
    throw new Error('there is no Chromium: install it, or name it in CHROMIUM');
  // Chromium refuses to run as root with its sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const features = DISABLE + DISABLED_FEATURES.join(',');
  return { executablePath, args: [...sandbox, features, ...others] };
}

function findChromium(): string | undefined {
  const names = isNamed() ? [process.env['CHROMIUM'] ?? ''] : USUAL_NAMES;
  return findProgram(names, ['/usr/bin']);
}

function isNamed(): boolean {
  return (process.env['CHROMIUM'] ?? '') !== '';
}
