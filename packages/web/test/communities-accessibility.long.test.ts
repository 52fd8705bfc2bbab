import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import type { BrowserContextOptions } from 'playwright-core';
import { lookAt, untilStill, type Faults } from './support/faults.ts';
import { layoutFaults } from './support/layout.ts';
import { accountButton, PASSWORD, registerElsewhere, submit } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const LONG_NAME = 'Donaudampfschifffahrtsgesellschaft am Laternenweg, alle Abteilungen';

/** The views of communities, as they are opened by their addresses. */
const PAGES = [
  '',
  'communities',
  'communities/new',
  'c/garden',
  ...['', '/overview', '/channels', '/roles', '/members', '/invites'].map(
    (page) => `c/garden/settings${page}`,
  ),
  ...['requests', 'bans', 'audit', 'leave'].map((page) => `c/garden/settings/${page}`),
];

const browser = useBrowser();
let instance: WebInstance;
let invite: string;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  const ada = await registerElsewhere(instance, 'ada');
  const { communities } = ada;
  const name = LONG_NAME.slice(0, 64);
  const made = await communities.create({ name, slug: 'garden', visibility: 'public' });
  const { id } = made;
  const shed = await communities.channels.create(id, { kind: 'category', name });
  await communities.channels.create(id, { kind: 'messages', name, category_id: shed.id });
  await communities.roles.create(id, { name, permissions: [] });
  const grace = await registerElsewhere(instance, 'grace');
  await grace.communities.join(id);
  const [first] = made.channels;
  await grace.channel(first?.id ?? id).send('the tulips are out');
  const linus = await registerElsewhere(instance, 'linus');
  await linus.communities.join(id);
  const { entries } = await communities.members.list(id, { q: 'linus' });
  const banned = { community_id: id, user_id: entries[0]?.user.id ?? id };
  await communities.bans.set(banned, { reason: LONG_NAME });
  ({ code: invite } = await communities.invites.create(id, { max_uses: 5 }));
  for (const client of [ada, grace, linus]) await client.close();
});

afterAll(() => instance[Symbol.asyncDispose]());

async function enter(options: BrowserContextOptions): Promise<Someone> {
  const ada = new Someone(await browser.visit(options));
  ada.visit.expectFaults(/status of (401|404)/);
  await ada.page.goto(new URL('sign-in', instance.url).href);
  // In any language.
  await ada.page.locator('[name=username]').fill('ada');
  await ada.page.locator('[name=password]').fill(PASSWORD);
  await submit(ada);
  await accountButton(ada.page).waitFor();
  return ada;
}

/** Goes through the views, and through what opens in the settings, and calls `look` with the name of each. */
async function throughPlaces(
  { page }: Someone,
  look: (view: string) => Promise<void>,
): Promise<void> {
  const open = async (path: string) => {
    await page.goto('about:blank');
    await page.goto(new URL(path, instance.url).href);
    await page.locator('main').first().waitFor();
    // A part that is still loading has an empty place without a heading.
    await page.waitForLoadState('networkidle');
    await eventually(() => page.locator('.lost-here').count(), 0);
    if (/settings|new/.test(path)) await page.getByRole('dialog').waitFor();
    const waiting = page.locator('[role=status]').getByText('…');
    await eventually(() => waiting.count(), 0);
  };
  for (const path of [...PAGES, `invite/${invite}`]) {
    await open(path);
    await look(path);
  }
  for (const list of ['channels', 'roles']) {
    await open(`c/garden/settings/${list}`);
    await page.locator('.sortable-line').first().click();
    await page.locator('.opened-head').waitFor();
    await look(`one of the ${list}`);
  }
  await open('c/garden/settings/members');
  await page.locator('.member .icon-button').first().click();
  await page.locator('dialog dialog, dialog ~ dialog').first().waitFor();
  await look('a member');
}

describe.each<[what: string, options: BrowserContextOptions, textSize: string]>([
  ['at 200 %', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }, '100%'],
  ['with text at twice its size', {}, '200%'],
  ['390 pixels wide', { viewport: { width: 390, height: 844 }, hasTouch: true }, '100%'],
  ['on its side', { viewport: { width: 640, height: 320 }, hasTouch: true }, '100%'],
])('a page that is %s', (_what, options, textSize) => {
  browserTest('shows all views of communities without sideways scrolling', async () => {
    const ada = await enter(options);
    const found: Faults = {};
    await throughPlaces(ada, async (view) => {
      await ada.page.evaluate(
        (size) => document.documentElement.style.setProperty('font-size', size),
        textSize,
      );
      await untilStill(ada.page);
      const faults = await layoutFaults(ada.page);
      if (faults.length > 0) found[view] = faults;
    });
    expect(found).toEqual({});
  });
});

browserTest('axe finds no fault in the views of communities in German', async () => {
  const ada = await enter({ locale: 'de-DE' });
  const found: Faults = {};
  await throughPlaces(ada, (view) => lookAt(ada.page, view, found));
  expect(found).toEqual({});
});

browserTest('nothing moves if the reader has asked for less motion', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
  const ada = await enter({ ...phone, reducedMotion: 'reduce' });
  const { page } = ada;
  await page.goto(new URL('c/garden', instance.url).href);
  const moving = () =>
    page.evaluate(() =>
      document.getAnimations().map(({ effect }) => effect?.getComputedTiming().endTime),
    );
  await page.getByRole('link', { name: 'general' }).tap();
  expect(await moving()).toEqual([]);
  await ada.log.waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'general' }).waitFor();
  expect(await moving()).toEqual([]);
});
