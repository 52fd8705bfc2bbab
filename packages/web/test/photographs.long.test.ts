import { expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { photograph } from '@hearth/testing/clients/photograph';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import type { Page } from 'playwright-core';
import { en } from '../src/text/en.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const PHOTOGRAPHS = 10;
const MOST_BYTES = 1_000_000;

/** As documented, except that a test may store and post all at once. */
const DOCUMENTED_FETCHES = GENEROUS_LIMITS.replaceAll(/^(?:fetch_file|fetch_media) = .*$/gm, '');

const browser = useBrowser();

/** The bytes of the pictures that a page has received since `start`. */
function receivedBytes(page: Page) {
  let received: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('/media/'))
      received.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return {
    start: () => void (received = []),
    sum: async () => (await Promise.all(received)).reduce((one, other) => one + other, 0),
  };
}

browserTest.each([1, 2])(
  '[WC26] ten photographs are at most 1 MB on a screen with %d pixels per CSS pixel, together or one by one',
  async (deviceScaleFactor) => {
    await using instance = await WebInstance.start({ toml: DOCUMENTED_FETCHES });
    const visit = await browser.visit({ deviceScaleFactor });
    const grace = await Someone.enter(visit, instance);
    const bytes = await photograph({ width: 4_000, height: 3_000 });
    expect(bytes.length).toBeGreaterThan(4_000_000);
    const store = (name: string) =>
      Promise.all(
        Array.from({ length: PHOTOGRAPHS }, (_, index) =>
          instance.store(bytes, `${name} ${index}.jpg`),
        ),
      );
    const loaded = (name: string) =>
      grace.log.locator(`.picture-front[data-loaded][alt*="${name}"]`);
    const received = receivedBytes(visit.page);
    await instance.post((await store('photograph')).join('\n'));
    await eventually(() => loaded('photograph').count(), PHOTOGRAPHS);
    const together = await received.sum();
    expect(together).toBeGreaterThan(10_000);
    expect(together).toBeLessThan(MOST_BYTES);

    const single = await store('single');
    received.start();
    for (const [index, address] of single.entries()) {
      await instance.post(address);
      await loaded(`single ${index}.jpg`).waitFor();
    }
    const oneByOne = await received.sum();
    expect(oneByOne).toBeGreaterThan(10_000);
    expect(oneByOne).toBeLessThan(MOST_BYTES);

    // The file itself is fetched once the reader zooms in.
    const whole = () => visit.requested.filter((url) => /\/media\/\d+$/.test(url)).length;
    await grace.button(en.attachments.open('single 9.jpg')).click();
    const dialog = grace.page.getByRole('dialog');
    await dialog.locator('.picture-front[data-loaded]').waitFor();
    expect(whole()).toBe(0);
    await grace.page.keyboard.press('+');
    await dialog.locator('.picture-original[data-loaded]').waitFor();
    expect(whole()).toBe(1);
  },
);
