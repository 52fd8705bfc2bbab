import { expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import type { Page } from 'playwright-core';
import { en } from '../src/text/en.ts';
import { makePicture } from './support/picture.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const PICTURES = 40;

/** As documented, except that a test may store and post all at once. */
const DOCUMENTED_FETCHES = GENEROUS_LIMITS.replaceAll(/^(?:fetch_file|fetch_media) = .*$/gm, '');

const browser = useBrowser();

/** Resolves when every picture in view is shown; returns how many there are. */
async function picturesInView(page: Page): Promise<number> {
  const count = await page.waitForFunction(() => {
    const { innerHeight } = globalThis;
    const inView = [...document.querySelectorAll('.attachment')].filter((attachment) => {
      const { top, bottom } = attachment.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    const isShown = (attachment: Element) =>
      attachment.querySelector('.picture-front[data-loaded]') !== null;
    return inView.length > 0 && inView.every(isShown) && inView.length;
  });
  return Number(await count.jsonValue());
}

/** The addresses of files that were requested. */
const filesOf = (requested: readonly string[], { addresses }: WebInstance) =>
  requested.filter((url) => url.startsWith(`${addresses.files}/`));

browserTest(
  '[WC26][WC27] a first-time visitor sees all pictures in view at once, and fetches no others',
  async () => {
    await using instance = await WebInstance.start({ toml: DOCUMENTED_FETCHES });
    const addresses: string[] = [];
    for (let index = 0; index < PICTURES; index += 1) {
      addresses.push(await instance.store(makePicture(index, 480, 320), `view ${index}.png`));
      await instance.post(addresses.at(-1) ?? '');
    }
    const visit = await browser.emptyVisit();
    const grace = await Someone.enter(visit, instance);
    expect(await picturesInView(grace.page)).toBeGreaterThan(1);
    const requested = filesOf(visit.requested, instance);
    expect(requested.length).toBeLessThan(PICTURES / 4);
    expect(requested.filter((url) => !url.includes('/media/'))).toEqual([]);
    expect(await grace.log.getByText(en.attachments.failed).count()).toBe(0);
  },
);

/** The pictures of the newest album by rows, from left to right. */
function albumRows(page: Page) {
  return page
    .locator('.attachments[data-many]')
    .last()
    .evaluate((album) => {
      const { left, right } = album.getBoundingClientRect();
      const rows = new Map<number, { left: number; right: number; height: number }[]>();
      for (const tile of album.querySelectorAll('.picture')) {
        const box = tile.getBoundingClientRect();
        const top = Math.round(box.top);
        const row = rows.get(top) ?? [];
        row.push({ left: box.left - left, right: right - box.right, height: box.height });
        rows.set(top, row);
      }
      return [...rows.values()];
    });
}

browserTest(
  '[WC95] on a phone, pictures of an album fill their rows and are equally high',
  async () => {
    await using instance = await WebInstance.start();
    const visit = await browser.emptyVisit();
    await visit.page.setViewportSize({ width: 360, height: 740 });
    const grace = await Someone.enter(visit, instance);
    const sides = [
      [640, 480],
      [480, 640],
      [480, 640],
      [640, 480],
      [640, 480],
      [480, 640],
      [640, 480],
    ] as const;
    const album: string[] = [];
    for (const [index, [width, height]] of sides.entries())
      album.push(await instance.store(makePicture(index, width, height), `${index}.png`));
    await instance.post(album.join('\n'));
    await eventually(() => grace.log.locator('.picture-front[data-loaded]').count(), sides.length);
    const rows = await albumRows(visit.page);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows.slice(0, -1)) {
      expect(row[0]?.left).toBeCloseTo(0, 0);
      expect(row.at(-1)?.right).toBeCloseTo(0, 0);
      const heights = row.map(({ height }) => height);
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1.5);
    }
    expect(Math.max(...rows.flat().map(({ height }) => height))).toBeLessThanOrEqual(161);
  },
);
