import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { violationsOf, type AxeScope } from './support/axe.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { layoutFaults } from './support/layout.ts';
import { makePicture } from './support/picture.ts';
import { postShowcase } from './support/showcase.ts';
import { eventually, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
  await postShowcase(instance);
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Scrolls up by bits until `target` is seen. */
async function scrollUpTo(someone: Someone, target: Locator): Promise<void> {
  await eventually(async () => {
    if ((await target.count()) > 0 && (await target.last().isVisible())) return true;
    await someone.log.evaluate((log) => log.scrollBy(0, -200));
    return false;
  }, true);
  await target.last().scrollIntoViewIfNeeded();
}

/** Goes through the states of the page, and calls `look` with the name of each. */
async function throughStates(someone: Someone, look: (state: string) => Promise<void>) {
  const { page } = someone;
  await look('welcome');
  await someone.textBoxes.press('Enter');
  await look('welcome, without a name');
  await someone.textBoxes.fill('Grace');
  await someone.textBoxes.press('Enter');
  await someone.reads('the end of the showcase');
  await look('lobby, at its end');
  await scrollUpTo(someone, someone.log.locator('.picture img'));
  await look('lobby, with a picture');
  await scrollUpTo(someone, someone.log.getByText('A heading', { exact: true }));
  await look('lobby, at its beginning');
  await page.locator('.header-instance').click();
  await page.getByRole('dialog').waitFor();
  await look('about the instance');
  await page.keyboard.press('Escape');
  await page.locator('.header-you').click();
  await page.getByRole('dialog').waitFor();
  await look('settings');
  await page.keyboard.press('Escape');
  await someone.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
  await scrollUpTo(someone, someone.log.locator('.picture img'));
  await page.locator('.picture').last().click();
  await page.locator('.lightbox img').waitFor();
  await look('a large picture');
  await page.keyboard.press('Escape');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: makePicture(1) });
  await someone.write('x'.repeat(2050));
  await someone.messageBox.press('Enter');
  await page.locator('.picked').waitFor();
  await look('a message that is too long, with a file');
}

describe.each<[what: string, scope: AxeScope, options: BrowserContextOptions]>([
  ['light', 'all', { colorScheme: 'light' }],
  ['dark', 'colours', { colorScheme: 'dark' }],
  ['German, on a phone', 'all', { locale: 'de-DE', viewport: { width: 390, height: 800 } }],
])('%s', (_what, scope, options) => {
  browserTest('axe finds nothing wrong in any state', async () => {
    const someone = await Someone.arrive(await browser.visit(options), instance);
    const found: Record<string, readonly string[]> = {};
    await throughStates(someone, async (state) => {
      const violations = await violationsOf(someone.page, scope);
      if (violations.length > 0) found[state] = violations;
    });
    expect(found).toEqual({});
  });
});

describe.each<[what: string, options: BrowserContextOptions]>([
  ['320 pixels wide', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }],
  ['390 pixels wide', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['on its side', { viewport: { width: 640, height: 320 }, hasTouch: true, isMobile: true }],
  ['at 200 %', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ['very wide', { viewport: { width: 2560, height: 1000 } }],
])('a page that is %s', (_what, options) => {
  browserTest('needs no scrolling sideways, and what is to be hit is large enough', async () => {
    const someone = await Someone.arrive(await browser.visit(options), instance);
    const found: Record<string, readonly string[]> = {};
    await throughStates(someone, async (state) => {
      const faults = await layoutFaults(someone.page);
      if (faults.length > 0) found[state] = faults;
    });
    expect(found).toEqual({});
  });
});

browserTest('text at twice its size fits', async () => {
  const someone = await Someone.arrive(await browser.visit(), instance);
  await someone.page.evaluate(() =>
    document.documentElement.style.setProperty('font-size', '200%'),
  );
  const found: Record<string, readonly string[]> = {};
  await throughStates(someone, async (state) => {
    const faults = await layoutFaults(someone.page);
    if (faults.length > 0) found[state] = faults;
  });
  expect(found).toEqual({});
});

browserTest("new messages are announced, and one's own are not", async () => {
  const someone = await Someone.enter(await browser.visit(), instance);
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
