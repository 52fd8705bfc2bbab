import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violationsInBothThemes, violationsOf } from './support/axe.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { layoutFaultsOfStates, throughStates } from './support/page-states.ts';
import { postShowcase } from './support/showcase.ts';
import { eventually, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

type FaultsOf = (page: Page) => Promise<readonly string[]>;

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
  await postShowcase(instance);
});

afterAll(() => instance[Symbol.asyncDispose]());

describe.each<[what: string, faultsOf: FaultsOf, options: BrowserContextOptions]>([
  ['light and dark', violationsInBothThemes, { colorScheme: 'light' }],
  ['German, on a phone', violationsOf, { locale: 'de-DE', viewport: { width: 390, height: 800 } }],
])('%s', (_what, faultsOf, options) => {
  browserTest('axe finds no fault in any state', async () => {
    const someone = await Someone.arrive(await browser.visit(options), instance);
    const found: Record<string, readonly string[]> = {};
    await throughStates(someone, async (state) => {
      const violations = await faultsOf(someone.page);
      if (violations.length > 0) found[state] = violations;
    });
    expect(found).toEqual({});
  });
});

describe.each<[what: string, options: BrowserContextOptions]>([
  ['320 pixels wide', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }],
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

browserTest('new messages are announced, except own ones', async () => {
  const someone = await Someone.enter(await browser.emptyVisit(), instance);
  await someone.reads('the end of the showcase');
  await eventually(() => someone.log.getAttribute('aria-live'), 'polite');
  await someone.say('my own words');
  await someone.reads('my own words');
  const own = someone.log.getByRole('article').filter({ hasText: 'my own words' });
  expect(await own.getAttribute('aria-live')).toBe('off');
  await instance.post('the words of others', 'Alan');
  await someone.reads('the words of others');
  const others = someone.log.getByRole('article').filter({ hasText: 'the words of others' });
  expect(await others.getAttribute('aria-live')).not.toBe('off');
  expect(await others.getAttribute('aria-label')).toContain('Alan');
});
