import { afterAll, beforeAll, expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { MOVING } from '@hearth/testing/browser/visit';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import type { BrowserContextOptions } from 'playwright-core';
import { enCommunities } from '../src/text/en/communities.ts';
import { enCommunitySettings } from '../src/text/en/community-settings.ts';
import { dragByMouse, Finger } from './support/finger.ts';
import { registerElsewhere, signInAs } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { frame, home, menu } = enCommunities;
const { order } = enCommunitySettings;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const browser = useBrowser('shared', MOVING);
let instance: WebInstance;
let owner: Client;
let garden: Id;
let general: Id;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  owner = await registerElsewhere(instance, 'ada');
  const { communities } = owner;
  const made = await communities.create({ name: 'Garden', slug: 'garden', visibility: 'public' });
  garden = made.id;
  general = made.channels[0]?.id ?? garden;
  for (const name of ['bees', 'tools']) {
    await communities.channels.create(garden, { kind: 'messages', name });
  }
  for (const name of ['Gardener', 'Helper', 'Guest']) {
    await communities.roles.create(garden, { name, permissions: [] });
  }
});

afterAll(async () => {
  await owner.close();
  await instance[Symbol.asyncDispose]();
});

async function enter(path: string, options?: BrowserContextOptions): Promise<Someone> {
  const someone = new Someone(await browser.visit(options));
  someone.visit.expectFaults(/status of (401|404)/);
  await someone.page.goto(new URL('sign-in', instance.url).href);
  await signInAs(someone, 'ada');
  await someone.page.goto(new URL(path, instance.url).href);
  return someone;
}

const pathOf = ({ page }: Someone) => new URL(page.url()).pathname;
const handle = ({ page }: Someone, name: string) =>
  page.getByRole('button', { name: order.handle(name) });
const lines = ({ page }: Someone) => page.locator('.sortable-name').allInnerTexts();
const channelNames = async () =>
  (await owner.communities.channels.list(garden)).map(({ name }) => name);

/** Swipes until it leads somewhere: a machine that has much to do makes a slow swipe, which does not count. */
async function swipeTo({ page }: Someone, swipe: () => Promise<void>, path: string): Promise<void> {
  const isThere = ({ pathname }: URL) => pathname === path;
  const arrive = () =>
    page.waitForURL(isThere, { timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  do await swipe();
  while (!(await arrive()));
}

browserTest('[WC133] fingers go from a channel to the list, home, and back', async () => {
  const ada = await enter('c/garden', PHONE);
  const finger = await Finger.of(ada);
  const right = () => finger.swipe({ x: 100, y: 300 }, { x: 300, y: 310 });
  const left = () => finger.swipe({ x: 300, y: 300 }, { x: 100, y: 310 });
  await ada.page.getByRole('link', { name: 'general' }).waitFor();
  await swipeTo(ada, left, `/c/garden/${general}`);
  await ada.log.waitFor();
  await swipeTo(ada, right, '/c/garden');
  // Neither a slow one, up and down, nor one from the edge.
  await finger.swipe({ x: 200, y: 200 }, { x: 230, y: 500 });
  await finger.swipe({ x: 5, y: 300 }, { x: 300, y: 300 });
  expect(pathOf(ada)).toBe('/c/garden');
  await swipeTo(ada, right, '/');
  await ada.page.getByText(home.yours).waitFor();
});

browserTest('[WC136] a long press opens the menu of a place, and follows no link', async () => {
  const ada = await enter('c/garden', PHONE);
  const finger = await Finger.of(ada);
  const link = ada.page.getByRole('link', { name: 'bees' });
  const items = ada.page.getByRole('menu', { name: 'bees' });
  await link.waitFor();
  await finger.press(link, () => items.waitFor());
  await items.getByRole('menuitem', { name: menu.mute }).tap();
  await items.waitFor({ state: 'detached' });
  expect(pathOf(ada)).toBe('/c/garden');
  await ada.page.getByText(frame.muted).waitFor({ state: 'attached' });
  await finger.press(link, () => items.waitFor());
  await ada.page.touchscreen.tap(380, 780);
  await items.waitFor({ state: 'detached' });
  expect(pathOf(ada)).toBe('/c/garden');
  await link.tap();
  await ada.log.waitFor();
});

browserTest(
  '[WC137][WC137a] channels and roles are ordered by finger, mouse and keys',
  async () => {
    const ada = await enter('c/garden/settings/channels', PHONE);
    const finger = await Finger.of(ada);
    await handle(ada, 'tools').waitFor();
    expect(await lines(ada)).toEqual(['general', 'bees', 'tools']);
    await finger.drag(handle(ada, 'general'), handle(ada, 'tools'));
    await eventually(channelNames, ['bees', 'tools', 'general']);
    expect(await lines(ada)).toEqual(['bees', 'tools', 'general']);
    await finger.drag(handle(ada, 'general'), handle(ada, 'bees'));
    await eventually(channelNames, ['general', 'bees', 'tools']);

    // With a key twice: the handle keeps the focus.
    await handle(ada, 'general').press('ArrowDown');
    await ada.page.getByText(order.moved('general', 2, 3)).waitFor();
    await ada.page.keyboard.press('ArrowDown');
    await ada.page.getByText(order.moved('general', 3, 3)).waitFor();
    await eventually(channelNames, ['bees', 'tools', 'general']);

    await ada.page.setViewportSize({ width: 1280, height: 800 });
    await ada.page.goto(new URL('c/garden/settings/roles', instance.url).href);
    await handle(ada, 'Gardener').waitFor();
    expect(await lines(ada)).toEqual(['Gardener', 'Helper', 'Guest', 'Everyone']);
    await dragByMouse(ada.page, handle(ada, 'Gardener'), handle(ada, 'Guest'));
    const roles = async () =>
      (await owner.communities.roles.list(garden)).map(({ name }) => name).slice(1);
    await eventually(roles, ['Gardener', 'Guest', 'Helper']);
  },
);

browserTest(
  '[WC139] Alt and an arrow lead to what is unread, but not out of a dialog',
  async () => {
    const grace = await registerElsewhere(instance, 'grace');
    await grace.communities.join(garden);
    await owner.communities.channels.create(garden, { kind: 'category', name: 'Shed' });
    const ada = await enter(`c/garden/${general}`);
    const { page } = ada;
    await ada.log.waitFor();
    const tools = (await owner.communities.channels.list(garden)).find(
      ({ name }) => name === 'tools',
    );
    await grace.channel(tools?.id ?? garden).send('where is the spade?');
    await page.getByRole('link', { name: /^tools.*unread/ }).waitFor();
    await page.goto(new URL('c/garden/settings/invites', instance.url).href);
    const select = page.getByRole('combobox').first();
    await select.focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    expect(pathOf(ada)).toBe('/c/garden/settings/invites');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.goto(new URL(`c/garden/${general}`, instance.url).href);
    await page.getByRole('link', { name: /^tools.*unread/ }).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await eventually(async () => pathOf(ada), `/c/garden/${tools?.id}`);
    await grace.close();
  },
);
