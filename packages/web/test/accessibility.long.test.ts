import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { BrowserContextOptions } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { layoutFaultsOfStates } from './support/page-states.ts';
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

// The sizes that accessibility.browser.test.ts leaves out.
describe.each<[what: string, options: BrowserContextOptions]>([
  ['390 pixels wide', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['on its side', { viewport: { width: 640, height: 320 }, hasTouch: true, isMobile: true }],
  ['very wide', { viewport: { width: 2560, height: 1000 } }],
])('a page that is %s', (_what, options) => {
  browserTest('needs no sideways scrolling, and its controls are large enough', async () => {
    const someone = await Someone.arrive(await browser.visit(options), instance);
    expect(await layoutFaultsOfStates(someone)).toEqual({});
  });
});
