import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { BrowserContextOptions } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { violationsInBothThemes, violationsOf } from './support/axe.ts';
import { layoutFaults } from './support/layout.ts';
import { layoutFaultsOfStates, throughStates, throughViews } from './support/page-states.ts';
import { postShowcase } from './support/showcase.ts';
import { Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
  await postShowcase(instance);
});

afterAll(() => instance[Symbol.asyncDispose]());

browserTest('axe finds no fault in any state, light and dark', async () => {
  const someone = await Someone.arrive(await browser.visit({ colorScheme: 'light' }), instance);
  const found: Record<string, readonly string[]> = {};
  await throughStates(someone, async (state) => {
    const violations = await violationsInBothThemes(someone.page);
    if (violations.length > 0) found[state] = violations;
  });
  expect(found).toEqual({});
});

describe.each<[what: string, options: BrowserContextOptions]>([
  ['320 pixels wide', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }],
  ['390 pixels wide', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['on its side', { viewport: { width: 640, height: 320 }, hasTouch: true, isMobile: true }],
  ['very wide', { viewport: { width: 2560, height: 1000 } }],
  ['at 200 %', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
])('a page that is %s', (_what, options) => {
  browserTest('needs no sideways scrolling, and its controls are large enough', async () => {
    const someone = await Someone.arrive(await browser.visit(options), instance);
    expect(await layoutFaultsOfStates(someone)).toEqual({});
  });
});

browserTest('text at twice its size fits the page', async () => {
  const someone = await Someone.arrive(await browser.emptyVisit(), instance);
  await someone.page.evaluate(() =>
    document.documentElement.style.setProperty('font-size', '200%'),
  );
  expect(await layoutFaultsOfStates(someone)).toEqual({});
});

browserTest('axe finds no fault in any state, in German, on a phone', async () => {
  const options = { locale: 'de-DE', viewport: { width: 390, height: 800 } };
  const someone = await Someone.arrive(await browser.visit(options), instance);
  const found: Record<string, readonly string[]> = {};
  await throughStates(someone, async (state) => {
    const violations = await violationsOf(someone.page);
    if (violations.length > 0) found[state] = violations;
  });
  expect(found).toEqual({});
});

describe.each<[what: string, options: BrowserContextOptions]>([
  ['dark', { colorScheme: 'dark' }],
  ['German', { locale: 'de-DE' }],
  [
    'German and dark, on a phone',
    { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 390, height: 800 } },
  ],
])('%s', (_what, options) => {
  browserTest('axe finds no fault in what opens over the lobby, and it fits', async () => {
    const someone = await Someone.arrive(await browser.visit(options), instance);
    const found: Record<string, readonly string[]> = {};
    await throughViews(someone, async (view) => {
      const faults = await violationsOf(someone.page, 'all');
      const all = [...faults, ...(await layoutFaults(someone.page))];
      if (all.length > 0) found[view] = all;
    });
    expect(found).toEqual({});
  });
});
