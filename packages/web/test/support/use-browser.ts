import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { CHROMIUM_PATH, launchChromium, tellIfSkipped } from './chromium.ts';
import { Visit } from './visit.ts';

/** The one browser of a test file. */
export interface TestBrowser {
  /**
   * Opens a window with storage of its own; a test fails for errors in it that it did not expect. It is closed behind
   * the test, or behind all tests of the file.
   */
  visit(options?: BrowserContextOptions, closedBehind?: 'test' | 'file'): Promise<Visit>;
}

/** Starts a browser for the tests of a file, and ends it behind them. */
export function useBrowser(args: readonly string[] = []): TestBrowser {
  let browser: Browser | undefined;
  let visits: Visit[] = [];
  const kept: Visit[] = [];
  tellIfSkipped();
  beforeAll(async () => {
    if (CHROMIUM_PATH !== undefined || process.env['CI'] === 'true')
      browser = await launchChromium(args);
  });
  afterEach(async () => {
    const faults = [...visits, ...kept].flatMap((visit) => visit.takeFaults());
    await Promise.all(visits.map((visit) => visit[Symbol.asyncDispose]()));
    visits = [];
    expect(faults).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    async visit(options, closedBehind = 'test') {
      if (browser === undefined) throw new Error('the browser was not started');
      const visit = await Visit.begin(browser, options);
      (closedBehind === 'test' ? visits : kept).push(visit);
      return visit;
    },
  };
}
