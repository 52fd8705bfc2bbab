import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Locator } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { en } from '../src/text/en.ts';
import { violationsOf } from './support/axe.ts';
import { layoutFaults } from './support/layout.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const words = en.reading;

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

const articleOf = (someone: Someone, text: string) =>
  someone.log.getByRole('article').filter({ hasText: text }).last();

const hasFocus = (element: Locator) => element.evaluate((each) => each === document.activeElement);

const menuOf = ({ page }: Someone) => page.getByRole('menu', { name: words.actions });

/** What the page and a machine have to say against the page as it is. */
async function faultsOf({ page }: Someone): Promise<readonly string[]> {
  return [...(await violationsOf(page, 'all')), ...(await layoutFaults(page))];
}

describe('a message', () => {
  browserTest('[WC40] [WC41] is replied to with a quote, which leads back to it', async () => {
    await using own = await WebInstance.start();
    await own.post('the first question', 'Ada');
    for (let count = 0; count < 60; count += 1) await own.post(`between ${count}`);
    const grace = await Someone.enter(await browser.emptyVisit(), own);
    await grace.reads('between 59');
    await grace.log.evaluate((log) => log.scrollTo(0, 0));
    await articleOf(grace, 'the first question').hover();
    await articleOf(grace, 'the first question').getByRole('button', { name: words.reply }).click();
    await grace.page.getByText(words.replyingTo('Ada')).waitFor();
    await grace.messageBox.press('Escape');
    await grace.page.getByText(words.replyingTo('Ada')).waitFor({ state: 'detached' });
    await articleOf(grace, 'the first question').click({ button: 'right' });
    await menuOf(grace).getByRole('menuitem', { name: words.reply }).click();
    await eventually(() => hasFocus(grace.messageBox), true);
    expect(await faultsOf(grace)).toEqual([]);
    await grace.page.keyboard.type('the answer');
    await grace.page.keyboard.press('Enter');
    await grace.reads('the answer');
    const quote = articleOf(grace, 'the answer').getByRole('link', { name: 'the first question' });
    await quote.waitFor();
    await eventually(async () => (await own.contents(1))[0]?.startsWith('> [Ada](http'), true);
    expect(await grace.page.getByText(words.replyingTo('Ada')).count()).toBe(0);
    await quote.click();
    const sought = grace.log.locator('[data-sought]');
    await sought.waitFor();
    expect(await sought.innerText()).toContain('the first question');
  });

  browserTest(
    '[WC42] [WC43] has a menu that is opened by keys, and messages are walked by arrows',
    async () => {
      for (const text of ['one', 'two', 'three']) await instance.post(text);
      const visit = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
      const grace = await Someone.enter(visit, instance);
      const { keyboard } = grace.page;
      await grace.reads('three');
      await grace.log.focus();
      await keyboard.press('ArrowUp');
      await eventually(() => hasFocus(articleOf(grace, 'three')), true);
      await keyboard.press('ArrowUp');
      await keyboard.press('ArrowUp');
      await keyboard.press('ArrowDown');
      await eventually(() => hasFocus(articleOf(grace, 'two')), true);
      for (const key of ['Enter', 'Shift+F10']) {
        await keyboard.press(key);
        await menuOf(grace).waitFor();
        await keyboard.press('Escape');
        await menuOf(grace).waitFor({ state: 'detached' });
        expect(await hasFocus(articleOf(grace, 'two'))).toBe(true);
      }
      await keyboard.press('ContextMenu');
      await menuOf(grace).waitFor();
      expect(await faultsOf(grace)).toEqual([]);
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await grace.page.getByText(words.linkCopied).waitFor();
      const link = await grace.page.evaluate(() => navigator.clipboard.readText());
      expect(link).toMatch(new RegExp(`^${instance.url}lobby/\\d+$`));
      await keyboard.press('?');
      const shortcuts = grace.page.getByRole('dialog', { name: words.shortcuts });
      await shortcuts.waitFor();
      expect(await faultsOf(grace)).toEqual([]);
      await keyboard.press('Escape');
      await shortcuts.waitFor({ state: 'detached' });
      await articleOf(grace, 'two').focus();
      await keyboard.press('Escape');
      await eventually(() => hasFocus(grace.messageBox), true);
      await keyboard.press('?');
      expect(await grace.messageBox.inputValue()).toBe('?');
      await grace.page.goto(link);
      await grace.log.locator('[data-sought]').getByText('two').waitFor();
    },
  );

  browserTest('[WC42] has a menu that a long press opens', async () => {
    await instance.post('pressed');
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const grace = await Someone.enter(await browser.visit(phone), instance);
    await grace.reads('pressed');
    const { x = 0, y = 0 } = (await grace.message('pressed').boundingBox()) ?? {};
    const session = await grace.visit.context.newCDPSession(grace.page);
    const touch = (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', [{ x: x + 5, y: y + 5 }]);
    await menuOf(grace).waitFor();
    await touch('touchEnd', []);
    const heights = await menuOf(grace)
      .getByRole('menuitem')
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await menuOf(grace).getByRole('menuitem', { name: words.reply }).tap();
    await grace.page.getByText(words.replyingTo('Ada')).waitFor();
    expect(await faultsOf(grace)).toEqual([]);
  });
});
