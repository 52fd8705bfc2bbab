import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { en } from '../src/text/en.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { eventually, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { MOVING } from '@hearth/testing/browser/visit';
import { WebInstance } from './support/web-instance.ts';

const MESSAGES = 10_000;
/** Far more than a screen has, and far fewer than there are messages. */
const MOST_ELEMENTS = 2_500;

const browser = useBrowser('shared', MOVING);
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

const textOf = (index: number) =>
  `number ${index}${' and some more words'.repeat(index % 7)}${index % 10 === 0 ? '\n\n> with a quote' : ''}`;

/** Posts messages from `first` to `last`, one after another: their numbers show the position in the list. */
async function postMany(to: WebInstance, first: number, last: number): Promise<void> {
  for (let index = first; index <= last; index += 1) {
    await to.post(textOf(index), `Person ${index % 5}`);
  }
}

const elements = (someone: Someone) =>
  someone.page.evaluate(() => document.querySelectorAll('*').length);

/** The message at the middle of the list, and how far below the list's top it is. */
const middle = (someone: Someone) =>
  someone.log.evaluate((log) => {
    const { left, top, width, height } = log.getBoundingClientRect();
    for (let y = top + height / 2; y < top + height; y += 10) {
      const article = document.elementFromPoint(left + width / 2, y)?.closest('article');
      const number = /number (\d+)/.exec(article?.textContent ?? '')?.[1];
      if (article && number) {
        return {
          number: Number(number),
          top: Math.round(article.getBoundingClientRect().top - top),
        };
      }
    }
    return { number: 0, top: 0 };
  });

const nextFrames = (someone: Someone) =>
  someone.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );

describe('ten thousand messages', () => {
  browserTest('arrive live, and can be scrolled through from end to end', async () => {
    const grace = await Someone.enter(await browser.emptyVisit(), instance);
    await postMany(instance, 1, MESSAGES);
    await eventually(
      async () => (await grace.log.innerText()).includes(`number ${MESSAGES}`),
      true,
    );
    expect(await elements(grace)).toBeLessThan(MOST_ELEMENTS);
    await grace.log.hover();
    const seen: number[] = [];
    for (const share of [0.9, 0.7, 0.5, 0.3, 0.1, 0]) {
      await grace.log.evaluate((log, part) => log.scrollTo(0, part * log.scrollHeight), share);
      await nextFrames(grace);
      await eventually(async () => (await middle(grace)).number > 0, true);
      seen.push((await middle(grace)).number);
      expect(await elements(grace)).toBeLessThan(MOST_ELEMENTS);
    }
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(seen[0]).toBeGreaterThan(8_000);
    expect(seen.at(-1)).toBeLessThan(60);
    await grace.button(new RegExp(en.conversation.jumpToNewest)).click();
    await eventually(
      async () => (await grace.log.innerText()).includes(`number ${MESSAGES}`),
      true,
    );
  });

  browserTest('from the history are loaded page by page, and nothing jumps', async () => {
    const grace = await Someone.enter(await browser.emptyVisit(), instance);
    await eventually(
      async () => (await grace.log.innerText()).includes(`number ${MESSAGES}`),
      true,
    );
    await grace.log.hover();
    let before = await middle(grace);
    let worst = 0;
    for (let steps = 0; steps < 60; steps += 1) {
      await grace.page.mouse.wheel(0, -400);
      await nextFrames(grace);
      await nextFrames(grace);
      const now = await middle(grace);
      expect(now.number).toBeLessThanOrEqual(before.number);
      // A message is passed every few wheel steps, never a whole page.
      worst = Math.max(worst, before.number - now.number);
      before = now;
    }
    expect(before.number).toBeLessThan(MESSAGES - 150);
    expect(worst).toBeLessThan(40);
    expect(await elements(grace)).toBeLessThan(MOST_ELEMENTS);
  });
});

describe('somebody who reads older messages', () => {
  browserTest(
    'keeps their place when others write, and sees the number of new messages',
    async () => {
      await using own = await WebInstance.start();
      await postMany(own, 1, 150);
      const grace = await Someone.enter(await browser.emptyVisit(), own);
      await eventually(async () => (await grace.log.innerText()).includes('number 150'), true);
      await grace.log.hover();
      await grace.page.mouse.wheel(0, -2500);
      await eventually(async () => (await middle(grace)).number < 140, true);
      await nextFrames(grace);
      const before = await middle(grace);
      await postMany(own, 151, 160);
      const news = grace.button(new RegExp(`new messages?\\. ${en.conversation.jumpToNewest}`));
      await news.waitFor();
      await eventually(async () => /\b10\b/.test((await news.textContent()) ?? ''), true);
      expect(await middle(grace)).toEqual(before);
      await news.click();
      await eventually(async () => (await grace.log.innerText()).includes('number 160'), true);
      await news.waitFor({ state: 'detached' });
      await own.post('number 161');
      await grace.reads('number 161');
    },
  );

  browserTest('moves to the end when they write', async () => {
    await using own = await WebInstance.start();
    await postMany(own, 1, 100);
    const grace = await Someone.enter(await browser.emptyVisit(), own);
    await eventually(async () => (await grace.log.innerText()).includes('number 100'), true);
    await grace.log.hover();
    await grace.page.mouse.wheel(0, -3000);
    await eventually(async () => (await middle(grace)).number < 90, true);
    await grace.say('here I am');
    await grace.message('here I am').waitFor();
    expect(await grace.message('here I am').isVisible()).toBe(true);
    const isInView = () =>
      grace.message('here I am').evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await eventually(isInView, true);
  });
});
