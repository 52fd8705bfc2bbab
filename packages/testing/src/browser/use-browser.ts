import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { testRun } from '../test-run.ts';
import {
  CHROMIUM_PATH,
  connectToChromium,
  launchChromium,
  launchShell,
  warnIfSkipped,
} from './chromium.ts';
import { Visit } from './visit.ts';

/** The windows of the tests of a file. */
export interface TestBrowser {
  /**
   * Opens a window with its own storage. An unexpected error in it fails the test. The window is closed after the test.
   */
  visit(options?: BrowserContextOptions): Promise<Visit>;

  /**
   * Gives a window that earlier tests, also of other files, may have used, but emptied. That takes half of the time. It is
   * not for tests that change more than pages can (permissions, the network, the clock, or scripts that run in every page), nor
   * for those that count the entries of its history, which stay.
   * The window is emptied after the test, or after all tests of the file.
   */
  emptyVisit(emptiedAfter?: 'test' | 'file'): Promise<Visit>;
}

/** The browser of the run, and emptied windows of it: one file of a worker after another uses them. */
let connected: Promise<Browser> | undefined;
const shared: Visit[] = [];

/**
 * The browser of the run, or one for these tests if there is none. `complete` starts one that can do all that people's
 * browsers can, such as notifications; that takes a second of processor time. Every window has the `common` options.
 */
export function useBrowser(
  kind: 'shared' | 'complete' = 'shared',
  common: BrowserContextOptions = {},
): TestBrowser {
  let browser: Browser | undefined;
  let visits: Visit[] = [];
  let inUse: Visit[] = [];
  const kept: Visit[] = [];
  const isShared =
    kind === 'shared' && testRun.chromium !== undefined && Object.keys(common).length === 0;
  const empty = isShared ? shared : [];
  warnIfSkipped();
  beforeAll(async () => {
    if (CHROMIUM_PATH === undefined && process.env['CI'] !== 'true') return;
    if (kind === 'complete') browser = await launchChromium();
    else if (testRun.chromium === undefined) browser = await launchShell();
    else browser = await connectedTo(testRun.chromium);
  });
  afterEach(async () => {
    const taken = [...visits, ...inUse, ...kept].flatMap((visit) => visit.takeFaults());
    const isOfStopped = await Promise.all(taken.map(refersToStopped));
    const faults = taken.filter((_, index) => isOfStopped[index] === false);
    await Promise.all([
      ...visits.map((visit) => visit[Symbol.asyncDispose]()),
      ...inUse.map((visit) => visit.empty()),
    ]);
    empty.push(...inUse);
    visits = [];
    inUse = [];
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    if (browser === undefined) return;
    if (browser !== (await connected)) return browser.close();
    const left = isShared ? [] : [...empty, ...kept];
    await Promise.all(left.map((visit) => visit[Symbol.asyncDispose]()));
    if (!isShared) return;
    await Promise.all(kept.map((visit) => visit.empty()));
    shared.push(...kept);
  });
  const begin = (options?: BrowserContextOptions): Promise<Visit> => {
    if (browser === undefined) throw new Error('the browser was not started');
    return Visit.begin(browser, { ...common, ...options });
  };
  return {
    async visit(options) {
      const visit = await begin(options);
      visits.push(visit);
      return visit;
    },
    async emptyVisit(emptiedAfter = 'test') {
      const visit = empty.pop() ?? (await begin());
      (emptiedAfter === 'test' ? inUse : kept).push(visit);
      return visit;
    },
  };
}

/** Connects once for all files of a worker, unless that failed. */
function connectedTo(address: string): Promise<Browser> {
  connected ??= connectToChromium(address).catch((error: unknown) => {
    connected = undefined;
    throw error;
  });
  return connected;
}

const REFUSED = 'ERR_CONNECTION_REFUSED';
const ADDRESS = /\b(?:ws|http):\/\/([\d.]+):(\d+)\//;

/** A test stops its own instance at its end, while its page may be about to connect or fetch again: that is no fault. */
async function refersToStopped(fault: string): Promise<boolean> {
  const [, host, port] = (fault.includes(REFUSED) ? ADDRESS.exec(fault) : undefined) ?? [];
  if (host === undefined) return false;
  const socket = connect({ host, port: Number(port) });
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}
