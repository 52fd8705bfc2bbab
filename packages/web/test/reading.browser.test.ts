import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { untilFound } from '@hearth/testing/clients/history-client';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { en } from '../src/text/en.ts';
import { enSearch } from '../src/text/en/search.ts';
import { goTo } from './support/go-to.ts';
import { violationsInBothThemes } from './support/axe.ts';
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

/** Returns what the page and a machine have to say against the page as it is. */
async function faultsOf({ page }: Someone): Promise<readonly string[]> {
  return [...(await violationsInBothThemes(page)), ...(await layoutFaults(page))];
}

describe('a message', () => {
  browserTest('[WC40] [WC41] [WC96] is replied to with a quote that leads back', async () => {
    await using own = await WebInstance.start();
    await own.post('the first question', 'Ada');
    for (let count = 0; count < 60; count += 1) await own.post(`between ${count}`);
    const grace = await Someone.enter(await browser.emptyVisit(), own);
    await grace.reads('between 59');
    await grace.log.evaluate((log) => log.scrollTo(0, 0));
    await articleOf(grace, 'the first question').hover();
    await articleOf(grace, 'the first question').hover();
    await articleOf(grace, 'the first question').getByRole('button', { name: words.reply }).click();
    await grace.page.getByText(words.replyingTo('Ada')).waitFor();
    await grace.messageBox.press('Escape');
    await grace.page.getByText(words.replyingTo('Ada')).waitFor({ state: 'detached' });
    await articleOf(grace, 'the first question').click({ button: 'right' });
    await menuOf(grace).getByRole('menuitem', { name: words.reply }).click();
    await eventually(() => hasFocus(grace.messageBox), true);
    expect(await faultsOf(grace)).toEqual([]);
    await grace.page.reload();
    await grace.waitUntilOnline();
    await grace.page.getByText(words.replyingTo('Ada')).waitFor();
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
    const path = () => new URL(grace.page.url()).pathname;
    expect(path()).toMatch(/^\/lobby\/\d+$/);
    await grace.button(en.conversation.jumpToNewest).click();
    await eventually(async () => path(), '/lobby');
    // The browser asks for the icon again at another address.
    await grace.page.goto('about:blank');
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
      await eventually(() => grace.entriesBefore(), 0);
      await keyboard.press('?');
      await shortcuts.waitFor();
      await grace.goBack({ from: 1 });
      await shortcuts.waitFor({ state: 'detached' });
      expect(grace.page.url()).toBe(instance.url);
      await articleOf(grace, 'two').focus();
      await keyboard.press('Escape');
      await eventually(() => hasFocus(grace.messageBox), true);
      await keyboard.press('?');
      expect(await grace.messageBox.inputValue()).toBe('?');
      await goTo(grace.page, new URL(link).pathname.slice(1));
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

describe('a reader who was away', () => {
  browserTest('[WC45] [WC46] sees where new messages begin, and how many there are', async () => {
    await using own = await WebInstance.start();
    for (let count = 0; count < 5; count += 1) await own.post(`early ${count}`);
    const grace = await Someone.enter(await browser.emptyVisit(), own);
    await grace.reads('early 4');
    const stored = () =>
      grace.page.evaluate(() =>
        Object.keys(localStorage).some((key) => key.startsWith('hearth.read.')),
      );
    await eventually(stored, true);
    await grace.page.goto('about:blank');
    for (let count = 0; count < 40; count += 1) await own.post(`unseen ${count}`);
    await grace.page.goto(own.url);
    await grace.reads('unseen 39');
    const bar = grace.button(/^40 new messages since/);
    await bar.waitFor();
    expect(await faultsOf(grace)).toEqual([]);
    await bar.click();
    await grace.sees(/New$|early 4$|unseen 0$/m, ['early 4', 'New', 'unseen 0']);
    await bar.waitFor({ state: 'detached' });
    await grace.say('an answer');
    await grace.reads('an answer');
    await grace.page.locator('.new-line').waitFor({ state: 'detached' });
  });
});

/** Closes the search and opens it again before the browser has said that it was closed. */
async function closeAndOpen(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const isOpen = () => document.querySelector('dialog[open]') !== null;
    const press = (target: Element | null, init: KeyboardEventInit) =>
      target?.dispatchEvent(
        new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }),
      );
    press(document.querySelector('dialog input'), { key: 'Escape' });
    for (let turn = 0; turn < 100 && isOpen(); turn += 1) await Promise.resolve();
    if (isOpen()) throw new Error('the search is drawn later than assumed');
    press(document.body, { key: 'f', ctrlKey: true });
    // The browser says so in a task of its own, before it draws the second time.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });
}

browserTest(
  '[WC47] [WC47a] [WC48] [WC48b] [WC97] messages are searched, and a result is opened in its place',
  async () => {
    await using own = await WebInstance.start();
    await own.post('a lantern in the window', 'Ada');
    await own.post('no light at all', 'Alan');
    for (let count = 0; count < 80; count += 1) await own.post(`filler ${count}`);
    await untilFound(own, '"filler 79"', ['filler 79']);
    const grace = await Someone.enter(await browser.emptyVisit(), own);
    await grace.reads('filler 79');
    const { keyboard } = grace.page;
    await keyboard.press('Control+f');
    const panel = grace.page.getByRole('dialog', { name: enSearch.title });
    await panel.waitFor();
    const box = panel.getByRole('searchbox');
    await eventually(() => hasFocus(box), true);
    await keyboard.type('LANT');
    const hits = panel.locator('.search-hit');
    await hits.getByText('a lantern in the window').waitFor();
    await eventually(() => panel.locator('mark').allInnerTexts(), ['lantern']);
    expect(await faultsOf(grace)).toEqual([]);
    const from = panel.getByLabel(enSearch.from, { exact: true });
    await from.fill('alan');
    await panel.getByText(enSearch.nothing).waitFor();
    await box.fill('');
    await hits.getByText('no light at all').waitFor();
    await from.fill('');
    await panel.getByText(enSearch.hint).waitFor();
    await box.fill('filler');
    await panel.getByText(enSearch.found(80, '80')).waitFor();
    expect(await hits.count()).toBe(25);
    await panel.getByRole('button', { name: enSearch.more }).click();
    await eventually(() => hits.count(), 50);
    await eventually(() => hasFocus(hits.nth(25)), true);
    // The place in the results stays for those of the same search.
    const results = panel.locator('.search-results');
    const scrolled = () => results.evaluate((element) => element.scrollTop);
    await results.evaluate((element) => element.scrollTo(0, 600));
    await eventually(scrolled, 600);
    await closeAndOpen(grace.page);
    await panel.waitFor();
    await eventually(scrolled, 600);
    await box.fill('window');
    await eventually(scrolled, 0);
    await hits.getByText('a lantern in the window').waitFor();
    await eventually(() => hits.count(), 1);
    await box.focus();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await panel.waitFor({ state: 'detached' });
    await grace.log.locator('[data-sought]').getByText('a lantern in the window').waitFor();
    await grace.button(words.openSearch).click();
    await hits.getByText('a lantern in the window').waitFor();
    await grace.goBack({ from: 2 });
    await panel.waitFor({ state: 'detached' });
    await grace.page.setViewportSize({ width: 390, height: 780 });
    await grace.button(words.openSearch).click();
    await hits.getByText('a lantern in the window').waitFor();
    const { x, y, width, height } = (await panel.boundingBox()) ?? expect.unreachable();
    expect([x, y, width, height]).toEqual([0, 0, 390, 780]);
    expect(await from.isVisible()).toBe(false);
    await panel.getByRole('button', { name: enSearch.filters(0), exact: true }).click();
    await from.fill('ada');
    await panel.getByRole('button', { name: enSearch.filters(1), exact: true }).waitFor();
    await hits.getByText('a lantern in the window').waitFor();
    expect(await faultsOf(grace)).toEqual([]);
    await box.press('Escape');
    await panel.waitFor({ state: 'detached' });
  },
);
