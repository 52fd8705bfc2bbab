import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Locator } from 'playwright-core';
import { en } from '../src/text/en.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { makePicture } from './support/picture.ts';
import { postShowcase } from './support/showcase.ts';
import { KeptLobby } from './support/kept-lobby.ts';
import { inAnyWords, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
const lobby = new KeptLobby(browser);
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
  await postShowcase(instance);
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Presses a key until the focus is on the target. */
async function press(someone: Someone, key: string, target: Locator): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 80; presses += 1) {
    await someone.page.keyboard.press(key);
    if ((await target.count()) === 1 && (await isThere())) return;
  }
  throw new Error(`the keyboard does not lead to ${String(target)}`);
}

describe('with the keyboard alone', () => {
  browserTest('a person can enter, write, open a picture and change a setting', async () => {
    await instance.post(await instance.store(makePicture(9, 200, 150), 'keys.png'));
    const someone = await Someone.arrive(await browser.emptyVisit(), instance);
    const { keyboard } = someone.page;
    await keyboard.type('Grace');
    await keyboard.press('Enter');
    await someone.waitUntilOnline();
    await keyboard.type('written by keyboard');
    await keyboard.press('Enter');
    await someone.reads('written by keyboard');

    const picture = someone.button(en.attachments.open('keys.png'));
    await picture.waitFor();
    await press(someone, 'Shift+Tab', picture);
    await keyboard.press('Enter');
    const large = someone.page.getByRole('dialog', { name: en.attachments.large('keys.png') });
    await large.waitFor();
    await keyboard.press('Escape');
    await large.waitFor({ state: 'hidden' });
    expect(await picture.evaluate((element) => element === document.activeElement)).toBe(true);

    const settings = someone.button(inAnyWords(en.shell.header.you));
    await press(someone, 'Shift+Tab', settings);
    await keyboard.press('Enter');
    const dialog = someone.page.getByRole('dialog', { name: en.shell.settings.title });
    await dialog.waitFor();
    const themes = en.shell.settings.themes;
    await press(someone, 'Tab', dialog.getByRole('radio', { name: themes.system }).first());
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    expect(await dialog.getByRole('radio', { name: themes.dark }).isChecked()).toBe(true);
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await settings.evaluate((element) => element === document.activeElement)).toBe(true);
    await press(someone, 'Tab', someone.messageBox);
    await keyboard.type('and on');
    await keyboard.press('Enter');
    await someone.reads('and on');
  });

  browserTest('a person can read older messages', async () => {
    await using own = await WebInstance.start();
    for (let i = 1; i <= 60; i += 1) await own.post(`line ${i}`);
    const someone = await Someone.enter(await browser.emptyVisit(), own);
    await someone.reads('line 60');
    await press(someone, 'Shift+Tab', someone.log);
    await someone.page.keyboard.press('Home');
    await someone.reads('line 1');
    await someone.page.keyboard.press('End');
    await someone.reads('line 60');
  });

  browserTest('the focus is always visible', async () => {
    const someone = await lobby.enter(instance);
    await someone.reads('the end of the showcase');
    const unseen = new Set<string>();
    for (let presses = 0; presses < 40; presses += 1) {
      await someone.page.keyboard.press('Shift+Tab');
      const name = await someone.page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return '';
        const rings = [element, element.parentElement, element.closest('label, form')].map((each) =>
          each === null ? '' : getComputedStyle(each),
        );
        const isSeen = rings.some(
          (style) =>
            style !== '' &&
            ((style.outlineStyle !== 'none' && style.outlineWidth !== '0px') ||
              style.boxShadow !== 'none'),
        );
        return isSeen ? '' : `${element.tagName} ${element.className}`;
      });
      if (name !== '') unseen.add(name);
    }
    expect([...unseen]).toEqual([]);
  });
});
