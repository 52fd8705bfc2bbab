import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Locator } from 'playwright-core';
import { fakeClock } from '@hearth/testing/fake-clock';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../src/text/en.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { KeptLobby } from './support/kept-lobby.ts';
import { eventually, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
const lobby = new KeptLobby(browser);
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

describe('somebody who visits for the first time', () => {
  browserTest(
    'sees one text box, for a name, the name of the server, and what is wrong with a name',
    async () => {
      const { page, textBoxes } = await Someone.arrive(await browser.emptyVisit(), instance);
      expect(await textBoxes.count()).toBe(1);
      expect(await page.getByRole('textbox', { name: en.shell.welcome.nameLabel }).count()).toBe(1);
      expect(await page.getByRole('heading', { name: 'Lantern Street' }).count()).toBe(1);
      expect(await page.getByText('Neighbours, and what they grow.').isVisible()).toBe(true);
      expect(await page.title()).toContain('Lantern Street');
      // What is wrong with a name is shown, and the name is kept.
      await textBoxes.fill('x');
      await textBoxes.press('Enter');
      await page.getByRole('alert').getByText(en.shell.name.short).waitFor();
      expect(await textBoxes.inputValue()).toBe('x');
      await textBoxes.fill('ж'.repeat(33));
      await page.getByRole('alert').getByText(en.shell.name.long(33)).waitFor();
      await textBoxes.fill('Ж😀');
      await textBoxes.press('Enter');
      await page.getByRole('textbox', { name: en.composer.label }).waitFor();
    },
  );

  browserTest('enters with Enter, and then has the message box as the last text box', async () => {
    const grace = await lobby.enter(instance);
    const box = grace.page.getByRole('textbox', { name: en.composer.label });
    const isLast = (selector: string) =>
      box.evaluate(
        (element, boxes) => [...document.querySelectorAll(boxes)].at(-1) === element,
        selector,
      );
    const everyBox = 'input:not([type]), input[type=text], textarea, [contenteditable=true]';
    expect(await isLast(everyBox)).toBe(true);
    const settings = await grace.openSettings();
    expect(await settings.getByRole('textbox').count()).toBe(1);
    // In a dialog too, for a program that knows nothing of dialogs.
    expect(await isLast(everyBox)).toBe(true);
  });

  browserTest('keeps the name for the next time', async () => {
    const visit = await browser.emptyVisit();
    const grace = await Someone.enter(visit, instance, 'Grace');
    await grace.page.reload();
    await grace.waitUntilOnline();
    expect(await grace.button(en.shell.header.you('Grace')).count()).toBe(1);
  });
});

describe('people who are online at the same time', () => {
  browserTest('read each other at once, with names and times, each message once', async () => {
    const grace = await lobby.enter(instance);
    const alan = await Someone.enter(await browser.emptyVisit(), instance, 'Alan');
    await grace.say('two browsers: good evening');
    await alan.reads('two browsers: good evening');
    await alan.say('two browsers: and to you');
    await grace.reads('two browsers: and to you');
    for (const someone of [grace, alan]) {
      await someone.sees(/two browsers: .*/, [
        'two browsers: good evening',
        'two browsers: and to you',
      ]);
      expect(await someone.log.getByText('Grace', { exact: true }).count()).toBeGreaterThan(0);
      expect(await someone.log.getByText('Alan', { exact: true }).count()).toBeGreaterThan(0);
      expect(await someone.log.locator('time').count()).toBeGreaterThan(0);
    }
    expect(await grace.messageBox.inputValue()).toBe('');
  });

  browserTest(
    '[WC60][WC61] see how many are connected, and no state while all is well',
    async () => {
      const grace = await lobby.enter(instance);
      const banner = grace.page.getByRole('banner');
      await Someone.enter(await browser.emptyVisit(), instance, 'Alan');
      await eventually(async () => {
        const { count } = await (await fetch(`${instance.addresses.rest}/online`)).json();
        const words = en.shell.header.people(count, String(count));
        return count > 1 && (await banner.getByText(words).count()) === 1;
      }, true);
      expect(await banner.locator('.status-words').count()).toBe(0);
    },
  );

  browserTest('[WC30] hide a spoiler from each other until it is asked for', async () => {
    const grace = await lobby.enter(instance);
    await grace.say('it was ||the *butler*||');
    const spoiler = grace.button(en.conversation.showSpoiler);
    await spoiler.waitFor();
    expect(await grace.log.getByText('butler').isVisible()).toBe(false);
    // It is a part of its line, and no picture.
    expect((await spoiler.boundingBox())?.height).toBeLessThan(32);
    await spoiler.press('Enter');
    await grace.log.getByText('butler').waitFor();
    expect(await spoiler.count()).toBe(0);
    const focused = () => grace.page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('the butler');
  });

  browserTest(
    '[WC246][WC248][WC249] see numbers as they were written, and no part of a spoiler that is folded or quoted',
    async () => {
      const grace = await lobby.enter(instance);
      await grace.say('18. September\n2. Oktober\n2026. Jahr');
      const items = grace.log.getByRole('listitem').filter({ hasText: /September|Oktober|Jahr/ });
      await items.nth(2).waitFor();
      const numbers = items.evaluateAll((all) => all.map((each) => each.getAttribute('value')));
      expect(await numbers).toEqual(['18', '2', '2026']);
      const text = grace.log.locator('.message-text').filter({ hasText: 'September' });
      const left = (part: Locator) => part.evaluate((box) => box.getBoundingClientRect().left);
      // The longest number has room.
      expect((await left(items.nth(2))) - (await left(text))).toBeGreaterThan(36);
      const lines = Array.from({ length: 100 }, () => 'mole').join('\n\n');
      await grace.say(`it was ||the ${lines}||, they said`);
      const hidden = grace.button(en.conversation.showSpoiler);
      await grace.button(en.conversation.showAll).waitFor();
      expect(await grace.log.getByText('they said').count()).toBe(0);
      expect(await grace.log.getByText('mole').isVisible()).toBe(false);
      expect(await hidden.count()).toBe(1);
      await grace.button(en.conversation.showAll).click();
      await grace.log.getByText('they said').waitFor();
      expect(await hidden.count()).toBe(1);
    },
  );

  browserTest(
    '[WC242] see HTML as it was written, and nothing covers what follows it',
    async () => {
      const grace = await lobby.enter(instance);
      await grace.say('<div>\n||the fox||\n</div>\n\nbelow it');
      const written = grace.log.locator('.message-text > p', { hasText: '<div>' });
      await written.waitFor();
      expect(await grace.log.getByText('the fox').isVisible()).toBe(false);
      const [own, below] = [
        await written.boundingBox(),
        await grace.log.getByText('below it').boundingBox(),
      ];
      // Three lines, and no room around them.
      expect(own?.height).toBeGreaterThan(2.5 * (below?.height ?? 0));
      expect(own?.height).toBeLessThan(3.5 * (below?.height ?? 0));
    },
  );

  browserTest(
    '[WC362] see lists, quotes and tables in the direction of what is written, with their marks on that side',
    async () => {
      const grace = await lobby.enter(instance);
      await grace.say('> שלום\n>\n> - חלה\n> - milk\n\n| א |\n|---|\n| b |\n\n- tea\n- קפה');
      const text = grace.log.locator('.message-text', { hasText: 'חלה' });
      await text.waitFor();
      const sides = (selector: string) =>
        text.locator(selector).evaluateAll((all) =>
          all.map((element) => {
            const { direction, borderRightWidth, borderLeftWidth, paddingRight } =
              getComputedStyle(element);
            const line = borderRightWidth === '0px' ? borderLeftWidth : borderRightWidth;
            return [direction, line, borderRightWidth, paddingRight].join(' ');
          }),
        );
      expect(await sides('blockquote')).toEqual(['rtl 3px 3px 12px']);
      expect(await sides('ul')).toEqual(['rtl 0px 0px 24px', 'ltr 0px 0px 0px']);
      expect(await sides('li')).toEqual(
        ['rtl', 'rtl', 'ltr', 'ltr'].map((direction) => `${direction} 0px 0px 0px`),
      );
      expect(await sides('.table')).toEqual(['rtl 0px 0px 0px']);
    },
  );

  browserTest('do not send a text that an input method has not finished', async () => {
    const grace = await lobby.enter(instance);
    await grace.messageBox.focus();
    const session = await grace.visit.context.newCDPSession(grace.page);
    await session.send('Input.imeSetComposition', {
      text: 'にほん',
      selectionStart: 3,
      selectionEnd: 3,
    });
    // As a browser reports the Enter that ends a composition.
    await grace.messageBox.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    expect(await grace.messageBox.inputValue()).toBe('にほん');
    await session.send('Input.insertText', { text: '日本' });
    expect(await grace.messageBox.inputValue()).toBe('日本');
    await grace.messageBox.press('Enter');
    await grace.reads('日本');
    await eventually(() => instance.contents(1), ['日本']);
  });
});

describe('earlier messages', () => {
  browserTest(
    'are shown to a newcomer, by days, and older ones appear on scrolling up',
    async () => {
      const clock = fakeClock(Date.now() - 3 * 86_400_000);
      await using old = await WebInstance.start({ toml: GENEROUS_LIMITS, clock });
      for (let i = 1; i <= 260; i += 1) {
        await old.post(`line ${i} of old`, i % 2 === 0 ? 'Ada' : 'Alan');
        if (i % 65 === 0) clock.halt(43_200_000);
      }
      await old.startAgain();
      const grace = await Someone.enter(await browser.emptyVisit(), old);
      await grace.reads('line 260 of old');
      expect(await grace.log.getByText('line 1 of old', { exact: true }).count()).toBe(0);
      await grace.log.hover();
      const first = grace.message('line 1 of old');
      await eventually(async () => {
        if (await first.isVisible()) return true;
        await grace.page.mouse.wheel(0, -2000);
        return false;
      }, true);
      expect(await grace.shown(/line \d+ of old/)).toEqual(
        Array.from(
          { length: (await grace.shown(/line \d+ of old/)).length },
          (_, i) => `line ${i + 1} of old`,
        ),
      );
    },
  );

  browserTest('of several days have a line for each day', async () => {
    const clock = fakeClock(Date.now() - 2 * 86_400_000);
    await using old = await WebInstance.start({ clock });
    await old.post('two days ago');
    clock.halt(86_400_000);
    await old.post('a day ago');
    await old.startAgain();
    await old.post('just now');
    const grace = await Someone.enter(await browser.emptyVisit(), old);
    await grace.reads('just now');
    await grace.sees(/yesterday|today|two days ago|a day ago|just now/i, [
      'two days ago',
      'Yesterday',
      'a day ago',
      'Today',
      'just now',
    ]);
  });
});

browserTest(
  'an instance without messages shows something friendly, and a group of messages its name once',
  async () => {
    await using quiet = await WebInstance.start();
    const grace = await Someone.enter(await browser.emptyVisit(), quiet);
    await grace.page.getByText(en.conversation.emptyTitle).waitFor();
    await grace.say('the first word');
    await grace.reads('the first word');
    expect(await grace.page.getByText(en.conversation.emptyTitle).count()).toBe(0);
    for (const text of ['together 1', 'together 2', 'together 3']) await quiet.post(text, 'Ada');
    await quiet.post('together 4', 'Alan');
    await quiet.post('together 5', 'Ada');
    await grace.page.reload();
    await grace.reads('together 5');
    expect(await grace.shown(/^(Ada|Alan)$/m)).toEqual(['Ada', 'Alan', 'Ada']);
  },
);
