import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Locator } from 'playwright-core';
import { WEB_PLACES } from '@hearth/protocol';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { readThrough } from '@hearth/testing/clients/history-client';
import { de } from '../src/text/de.ts';
import { en } from '../src/text/en.ts';
import { goTo } from './support/go-to.ts';
import { openAway } from './support/open-away.ts';
import { startPathProxy } from './support/path-proxy.ts';
import { eventually, inAnyWords, Someone } from './support/someone.ts';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { WebInstance } from './support/web-instance.ts';

const { places } = en.shell;
/** Its page loads the older messages that are near the end by itself. */
const MANY = 350;
const NAME = 'Lantern Street';

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

const at = (path: string) => ({ url: new URL(path, instance.url).href });
const pathOf = ({ page }: Someone) => new URL(page.url()).pathname;

/** Returns whether an element is within the part of the messages that the reader sees. */
const isInView = (row: Locator) =>
  row.evaluate((element) => {
    const view = element.closest('[role=log]')?.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return view !== undefined && top >= view.top && bottom <= view.bottom;
  });

/** Resolves when the page has answered to what was done before. */
const untilDrawn = ({ page }: Someone) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );

/** Opens an address in a browser in which a name is chosen. */
async function openAt(someone: Someone, path: string): Promise<void> {
  await someone.page.goto(at(path).url);
}

describe('an address', () => {
  browserTest(
    '[WC20] opens what it names, also in a browser that has never been here',
    async () => {
      const grace = await Someone.arrive(await browser.emptyVisit(), at('settings/notifications'));
      await grace.comeIn('Grace');
      const settings = grace.page.getByRole('dialog', { name: en.shell.settings.title });
      await settings.waitFor();
      const toggle = settings.getByLabel(en.shell.settings.notifications);
      await eventually(() => toggle.evaluate((box) => box === document.activeElement), true);
      await openAt(grace, 'about');
      await grace.page.getByRole('dialog', { name: NAME }).waitFor();
      await openAt(grace, 'lobby');
      await grace.waitUntilOnline();
      expect(await grace.page.getByRole('dialog').count()).toBe(0);
    },
  );

  browserTest('[WC25] that leads nowhere shows a way to the lobby', async () => {
    const grace = await Someone.enter(await browser.emptyVisit(), instance);
    grace.visit.expectFaults(/status of 404/);
    await openAt(grace, 'c/gardens');
    for (const path of ['c/gardens', 'lobby/nothing', 'settings/nothing', 'm/a/']) {
      await goTo(grace.page, path);
      await grace.page.getByRole('heading', { name: places.notFoundTitle }).waitFor();
      expect(await grace.page.title()).toBe(`${places.notFoundTitle} · ${NAME}`);
    }
    const requested = grace.visit.requested.length;
    await grace.page.getByRole('link', { name: places.toLobby }).click();
    await grace.waitUntilOnline();
    expect([pathOf(grace), await grace.page.title()]).toEqual(['/', NAME]);
    const later = grace.visit.requested.slice(requested);
    expect(later.filter((url) => url === instance.url)).toEqual([]);
  });
});

describe('[WC21] dialogs', () => {
  browserTest(
    'have an address and a title, and are closed by Back and opened by Forward',
    async () => {
      const grace = await Someone.enter(await browser.emptyVisit(), instance);
      const settings = await grace.openSettings();
      expect([pathOf(grace), await grace.page.title()]).toEqual([
        '/settings',
        `${places.settings} · ${NAME}`,
      ]);
      await grace.write('half a sentence');
      await grace.goBack({ from: 1 });
      await settings.waitFor({ state: 'detached' });
      expect([pathOf(grace), await grace.page.title()]).toEqual(['/', NAME]);
      await grace.page.evaluate(() => history.forward());
      await settings.waitFor();
      await settings.getByRole('radio', { name: en.shell.settings.languages.de }).check();
      await eventually(() => grace.page.title(), `${de.shell.places.settings} · ${NAME}`);
    },
  );

  browserTest('leave the browser where it was when they are closed', async () => {
    const grace = await Someone.enter(await browser.visit(), instance);
    const entries = () => grace.page.evaluate(() => history.length);
    const before = await entries();
    await grace.button(en.shell.header.aboutInstance(NAME)).click();
    const about = grace.page.getByRole('dialog', { name: NAME });
    await about.waitFor();
    expect([pathOf(grace), await grace.page.title()]).toEqual([
      '/about',
      `${places.about} · ${NAME}`,
    ]);
    await grace.page.keyboard.press('Escape');
    await eventually(async () => pathOf(grace), '/');
    await about.waitFor({ state: 'detached' });
    await grace.openSettings();
    await grace.button(en.shell.dialog.close).click();
    await eventually(async () => pathOf(grace), '/');
    // One entry for what is forward of this one.
    expect(await entries()).toBe(before + 1);
    await openAt(grace, 'settings');
    await grace.button(en.shell.dialog.close).click();
    await eventually(async () => pathOf(grace), '/');
    await grace.say('still here');
    await grace.reads('still here');
  });
});

describe('[WC24] the address of a message', () => {
  browserTest('shows that message, with older ones above it', async () => {
    await using long = await WebInstance.start();
    for (let count = 0; count < MANY; count += 1) await long.post(`message ${count}`);
    const [oldest] = await readThrough(long, 'oldest');
    const grace = await Someone.enter(await browser.emptyVisit(), long);
    await grace.reads(`message ${MANY - 1}`);
    expect(await grace.message('message 0').count()).toBe(0);
    await goTo(grace.page, `lobby/${oldest?.id}`);
    await grace.message(oldest?.content ?? '').waitFor();
    const row = grace.log.locator('[data-sought]');
    await row.waitFor();
    expect(await row.innerText()).toContain(oldest?.content ?? '');
    await eventually(() => isInView(row), true);
    for (const content of ['one more', 'another']) await long.post(content);
    await grace.button(inAnyWords(en.conversation.newMessages)).waitFor();
  });

  browserTest('[WC342] stays in view when the page becomes lower, on a phone too', async () => {
    await using own = await WebInstance.start();
    // The part of the history meets the newest messages at once.
    for (let count = 0; count < 150; count += 1) await own.post(`message ${count}.`);
    const [oldest] = await readThrough(own, 'oldest');
    const address = { url: new URL(`lobby/${oldest?.id}`, own.url).href };
    const grace = await Someone.enter(await browser.emptyVisit(), address);
    for (const width of [1280, 390]) {
      await grace.page.setViewportSize({ width, height: 800 });
      if (width === 390) await grace.page.goto(address.url);
      const row = grace.log.locator('[data-sought]');
      await row.getByText('message 0.').waitFor();
      await eventually(() => isInView(row), true);
      await grace.page.setViewportSize({ width, height: 420 });
      await untilDrawn(grace);
      expect(await isInView(row)).toBe(true);
    }
    await grace.page.setViewportSize({ width: 1280, height: 800 });
  });

  browserTest('reports that the message is not there', async () => {
    const grace = await Someone.enter(await browser.emptyVisit(), at('lobby/1'));
    await grace.page.getByRole('status').getByText(en.conversation.messageMissing).waitFor();
    await grace.waitUntilOnline();
  });
});

// places.long.test.ts opens all places.
browserTest(
  '[WC23][WC67] places of every kind open without the instance, with the messages of before',
  async () => {
    const { home, lobby, settings, communities, channel, signIn, conversation } = WEB_PLACES;
    const visit = await browser.visit({ serviceWorkers: 'allow' });
    await openAway(visit, [home, lobby, settings, communities, channel, signIn, conversation]);
  },
);

browserTest(
  '[WC9][OA7] every place works below the path of a proxy that the public address names',
  async () => {
    const toml = `public_url = "https://example.org/below/a/path"\n${GENEROUS_LIMITS}`;
    await using named = await WebInstance.start({ toml });
    await using proxy = startPathProxy('/below/a/path', named.url);
    const grace = await Someone.enter(await browser.emptyVisit(), proxy);
    grace.visit.expectFaults(/status of 404/);
    await grace.openSettings();
    expect(grace.page.url()).toBe(`${proxy.url}settings`);
    await grace.page.reload();
    await grace.page.getByRole('dialog', { name: en.shell.settings.title }).waitFor();
    await grace.page.keyboard.press('Escape');
    await eventually(async () => grace.page.url(), proxy.url);
    await grace.page.goto(`${proxy.url}lobby/1`);
    await grace.waitUntilOnline();
    await grace.page.goto(`${proxy.url}c/gardens/1/2`);
    await grace.page.getByRole('link', { name: places.toLobby }).click();
    await eventually(async () => grace.page.url(), proxy.url);
    await grace.say('through a proxy');
    await grace.reads('through a proxy');
    // Otherwise it would try to reconnect to what is gone.
    await grace.page.goto('about:blank');
  },
);
