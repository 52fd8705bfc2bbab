import { afterAll, beforeAll, expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import type { Page } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { en } from '../src/text/en.ts';
import { enCommunities } from '../src/text/en/communities.ts';
import { enSearch as words } from '../src/text/en/search.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { goTo } from './support/go-to.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { registerElsewhere } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
// What Chromium prints of requests that are refused, or that a test lets fail.
const signIns = new KeptSignIns(browser, /status of (401|404)|ERR_FAILED/);
let instance: WebInstance;
let ada: Client;
let made: Readonly<Record<'garden' | 'harvest' | 'seeds' | 'tools', Id>>;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registerElsewhere(instance, 'ada');
  const grace = await registerElsewhere(instance, 'grace');
  made = await plant(ada, grace);
});

afterAll(() => instance[Symbol.asyncDispose]());

/** A community with two channels of posts and one of messages, in all of which is written about rhubarb, as in the lobby. */
async function plant(owner: Client, member: Client) {
  const { channels } = owner.communities;
  const garden = await owner.communities.create({
    ...{ name: 'Lantern Garden', slug: 'garden', kind: 'both', visibility: 'public' },
  });
  const make = (kind: 'posts' | 'messages', name: string) =>
    channels.create(garden.id, { kind, name });
  const { id: harvest } = await make('posts', 'harvest');
  const { id: seeds } = await make('posts', 'seeds');
  const { id: tools } = await make('messages', 'tools');
  await member.communities.join(garden.id);
  const { posts } = owner;
  const { id } = await posts.create(harvest, { title: 'Rhubarb', content: 'below the **hedge**' });
  await posts.comments.create(id, { content: 'Rhubarb likes **water**, see https://example.org' });
  await posts.create(harvest, { title: 'Nettles', content: 'everywhere' });
  await member.posts.create(seeds, { title: 'Does rhubarb grow in the shade?' });
  await posts.create(seeds, { title: 'A present', content: 'Quinces', spoiler: true });
  await owner.send('A rhubarb cake in the lobby');
  await owner.channel(tools).send('The rhubarb knife is in the shed');
  const isFound = async () =>
    (await owner.channel(tools).search({ text: 'knife' })).messages.length;
  await until(async () => (await isFound()) === 1);
  return { garden: garden.id, harvest, seeds, tools };
}

const isFocused = (element: Element) => element === document.activeElement;

/** The search of a page. */
function searchOf(page: Page) {
  const panel = page.getByRole('dialog', { name: words.title });
  const hits = panel.locator('.search-hit');
  return {
    panel,
    hits,
    box: panel.getByRole('searchbox'),
    facet: (name: string) => panel.getByRole('button', { name, exact: true }),
    hit: (text: string) => hits.filter({ hasText: text }),
    /** Waits until results with these texts are shown, the newest first. */
    shows: async (...texts: readonly string[]) => {
      await eventually(async () => {
        const shown = await hits.locator('.search-hit-body').allInnerTexts();
        return (
          texts.length === shown.length && texts.every((text, at) => shown[at]?.includes(text))
        );
      }, true);
    },
    /** Presses Ctrl+F: a page may be there a moment before it listens to keys. */
    open: async () => {
      await eventually(async () => {
        await page.keyboard.press('Control+f');
        return await panel.isVisible();
      }, true);
    },
  };
}

const MESSAGE = 'The rhubarb knife';
const LOBBY = 'A rhubarb cake';
const QUESTION = 'Does rhubarb grow';
const COMMENT = 'Rhubarb likes water';
const POST = 'below the hedge';

browserTest(
  '[WC47][WC47b][WC47c][WC48] the whole community is searched in one list, which facets narrow',
  async () => {
    const faults: Faults = {};
    const { page } = await signIns.enter(
      'grace',
      new URL(`c/garden/${made.harvest}`, instance.url),
    );
    const { panel, hits, box, facet, hit, shows, open } = searchOf(page);
    await page.locator('[data-post]').filter({ hasText: 'Nettles' }).waitFor();
    await open();
    await eventually(() => box.evaluate(isFocused), true);
    await panel.getByText(words.hint).waitFor();
    await box.fill('rhub');
    await shows(MESSAGE, QUESTION, COMMENT, POST);
    await panel.getByRole('status').getByText(words.found(4, '4'), { exact: true }).waitFor();
    const marks = ['rhubarb', 'rhubarb', 'Rhubarb', 'Rhubarb'];
    await eventually(() => panel.locator('mark').allInnerTexts(), marks);
    // Who, what and where.
    await hit(MESSAGE).getByText('ada').waitFor();
    expect(await hits.locator('.avatar').count()).toBe(4);
    await hit(MESSAGE).getByText('#tools').waitFor();
    await hit(MESSAGE).getByText(words.message).waitFor();
    await hit(COMMENT).getByText(words.on('Rhubarb')).waitFor();
    await hit(QUESTION).getByText('#seeds').waitFor();
    await lookAt(page, 'found', faults);
    // Kinds.
    await facet(`${words.kinds.comments} 1`).click();
    await shows(COMMENT);
    expect(await panel.getByRole('button', { pressed: true }).allInnerTexts()).toHaveLength(2);
    await facet(words.kinds.posts).click();
    await shows(QUESTION, POST);
    await facet(`${words.kinds.posts} 2`).click();
    await shows(MESSAGE, QUESTION, COMMENT, POST);
    // Places and authors.
    await facet('harvest 2').click();
    await shows(COMMENT, POST);
    await facet('harvest 2').click();
    await facet('grace 1').click();
    await shows(QUESTION);
    await lookAt(page, 'narrowed', faults);
    await facet('grace 1').click();
    await shows(MESSAGE, QUESTION, COMMENT, POST);
    // Everything.
    await facet('Lantern Garden').click();
    await shows(MESSAGE, LOBBY, QUESTION, COMMENT, POST);
    await hit(MESSAGE).getByText('Lantern Garden').waitFor();
    await facet(`${enCommunities.frame.lobby} 1`).click();
    await shows(LOBBY);
    expect(faults).toEqual({});
  },
);

browserTest(
  '[WC47][WC48b] Escape closes the search at once, and the way back from a result leads to it as it was',
  async () => {
    const grace = await signIns.enter('grace', new URL(`c/garden/${made.tools}`, instance.url));
    const { page } = grace;
    const { panel, box, hit, facet, shows } = searchOf(page);
    await grace.log.getByText(MESSAGE).waitFor();
    await grace.button(en.reading.openSearch).click();
    await box.fill('rhub');
    await shows(MESSAGE, QUESTION, COMMENT, POST);
    await box.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await grace.button(en.reading.openSearch).evaluate(isFocused)).toBe(true);
    await grace.button(en.reading.openSearch).click();
    await shows(MESSAGE, QUESTION, COMMENT, POST);
    await box.press('ArrowDown');
    await eventually(() => hit(MESSAGE).evaluate(isFocused), true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.post-title').getByText('Rhubarb').waitFor();
    await page.locator('[data-comment]').getByText('Rhubarb likes').waitFor();
    await panel.waitFor({ state: 'detached' });
    await page.goBack();
    await shows(MESSAGE, QUESTION, COMMENT, POST);
    expect(await box.inputValue()).toBe('rhub');
    await hit(QUESTION).click();
    await page.locator('.post-title').getByText(QUESTION).waitFor();
    await page.goBack();
    await hit(MESSAGE).click();
    await grace.log.locator('[data-sought]').getByText(MESSAGE).waitFor();
    await page.goBack();
    await panel.waitFor();
    // What is covered stays covered.
    await box.fill('quinces');
    await shows('A present');
    expect(await hit('A present').innerText()).not.toContain('Quinces');
    // By its place, its contents and its days.
    await box.fill('rhub');
    await facet('tools 1').click();
    await shows(MESSAGE);
    await facet('tools 1').click();
    await panel.getByLabel(words.has, { exact: true }).selectOption('link');
    await shows(COMMENT);
    await panel.getByLabel(words.until, { exact: true }).fill('2020-01-31');
    await panel.getByRole('status').getByText(words.nothing).waitFor();
    await panel.getByText(words.nothingText).waitFor();
  },
);

browserTest(
  '[WC47][WC47b] every view opens the search, elsewhere over everything that the reader sees',
  async () => {
    const grace = await signIns.enter('grace', new URL('communities', instance.url));
    const { page } = grace;
    const { panel, box, shows } = searchOf(page);
    for (const path of ['communities', '', 'lobby', 'feed', 'u/ada', 'c/garden/posts']) {
      await goTo(page, path);
      await grace.button(en.reading.openSearch).click();
      await panel.waitFor();
      await box.press('Escape');
      await panel.waitFor({ state: 'detached' });
    }
    await goTo(page, 'lobby');
    await grace.button(en.reading.openSearch).click();
    await box.fill('rhub');
    await shows(MESSAGE, LOBBY, QUESTION, COMMENT, POST);
    // On a phone, from the list of channels, too.
    await box.press('Escape');
    await page.setViewportSize({ width: 390, height: 780 });
    await goTo(page, 'c/garden');
    await grace.button(en.reading.openSearch).click();
    await box.fill('rhub');
    await shows(MESSAGE, QUESTION, COMMENT, POST);
  },
);

browserTest('[WC47b][WC48] visitors search a public community, and the lobby', async () => {
  const visit = await browser.emptyVisit();
  visit.expectFaults(/status of 401/);
  const visitor = await Someone.enter(visit, instance);
  const { page } = visitor;
  const { hit, box, shows } = searchOf(page);
  await visitor.button(en.reading.openSearch).click();
  await box.fill('rhub');
  await shows(LOBBY);
  await goTo(page, `c/garden/${made.tools}`);
  await visitor.log.getByText(MESSAGE).waitFor();
  await visitor.button(en.reading.openSearch).click();
  await box.fill('rhub');
  await shows(MESSAGE, QUESTION, COMMENT, POST);
  await hit(COMMENT).getByText('#harvest').waitFor();
  await hit(POST).click();
  await page.locator('.post-title').getByText('Rhubarb').waitFor();
});

browserTest(
  '[WC47a][WC48b] a search that failed can be tried again, and the focus goes on to its results',
  async () => {
    const grace = await signIns.enter('grace', new URL(`c/garden/${made.tools}`, instance.url));
    const { page } = grace;
    const { panel, box, hit, shows, open } = searchOf(page);
    await grace.log.getByText(MESSAGE).waitFor();
    await page.route(/\/search\?/, (route) => route.abort());
    await open();
    await box.fill('rhub');
    const again = panel.getByRole('button', { name: en.conversation.tryAgain });
    await again.waitFor();
    await page.unroute(/\/search\?/);
    const answer = Promise.withResolvers<void>();
    await page.route(/\/search\?/, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await again.press('Enter');
    await panel.getByRole('button', { name: en.conversation.tryAgain, disabled: true }).waitFor();
    expect(await again.evaluate(isFocused)).toBe(true);
    answer.resolve();
    await shows(MESSAGE, QUESTION, COMMENT, POST);
    await eventually(() => hit(MESSAGE).evaluate(isFocused), true);
  },
);

browserTest(
  '[WC47c][WC47e] a place takes off the kind that it lacks, and a name is its author in capitals, too',
  async () => {
    const shed = await ada.communities.create({
      ...{ name: 'Shed', slug: 'shed', kind: 'messages', visibility: 'public' },
    });
    const nails = await ada.communities.channels.create(shed.id, {
      ...{ kind: 'messages', name: 'nails' },
    });
    await ada.channel(nails.id).send('A nail is missing');
    const isFound = async () =>
      (await ada.channel(nails.id).search({ text: 'nail' })).messages.length;
    await until(async () => (await isFound()) === 1);
    const { page } = await signIns.enter('grace', new URL(`c/shed/${nails.id}`, instance.url));
    const { panel, box, facet, shows, open } = searchOf(page);
    await open();
    await box.fill('nail');
    await shows('A nail is missing');
    await facet('Shed').click();
    await facet(words.kinds.posts).click();
    await panel.getByText(words.nothingText).waitFor();
    await facet('Shed').click();
    await shows('A nail is missing');
    await panel.getByLabel(words.from, { exact: true }).fill('ADA');
    await panel.getByRole('button', { name: 'ada 1', pressed: true }).waitFor();
    expect(await facet('ADA').count()).toBe(0);
  },
);

browserTest('[WC48b] a search that is opened again lacks what was deleted meanwhile', async () => {
  const { id } = await ada.posts.create(made.harvest, { title: 'Mulch' });
  const comment = await ada.posts.comments.create(id, { content: 'Mulch keeps the slugs' });
  const isFound = async () =>
    (await ada.posts.searchAll({ in: made.harvest, kind: 'all', text: 'mulch' })).entries.length;
  await until(async () => (await isFound()) === 2);
  const { page } = await signIns.enter('grace', new URL(`c/garden/${made.harvest}`, instance.url));
  const { panel, box, shows, open } = searchOf(page);
  await open();
  await box.fill('mulch');
  await shows('keeps the slugs', 'Mulch');
  await box.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await ada.posts.comments.remove(comment.id);
  await open();
  await shows('Mulch');
});

browserTest(
  '[WC17][WC48c] results have the present names and addresses of their channels, and go when they are deleted',
  async () => {
    const { garden, seeds, tools } = made;
    const { id } = await ada.channel(tools).send('Where is the lavender?');
    const { page } = await signIns.enter('grace', new URL(`c/garden/${seeds}`, instance.url));
    const { box, hit, open } = searchOf(page);
    await page.locator('[data-post]').filter({ hasText: 'A present' }).waitFor();
    await open();
    await box.fill('lavender');
    await hit('Where is the lavender?').getByText('#tools').waitFor();
    // In a channel made meanwhile, in a community that has moved.
    const shed = await ada.communities.channels.create(garden, { kind: 'messages', name: 'shed' });
    await ada.channel(shed.id).send('The lavender dries here');
    await ada.communities.change(garden, { slug: 'orchard' });
    const isFound = async () =>
      (await ada.channel(shed.id).search({ text: 'dries' })).messages.length;
    await until(async () => (await isFound()) === 1);
    await page.waitForURL(/orchard/);
    if (!(await box.isVisible())) await open();
    await box.fill('lavende');
    await hit('dries here').getByText('#shed').waitFor();
    const address = () => hit('Where is').getAttribute('href');
    await eventually(address, `./c/orchard/${tools}/${id}`);
    await ada.channel(tools).remove(id);
    await hit('Where is').waitFor({ state: 'detached' });
    await hit('dries here').waitFor();
  },
);
