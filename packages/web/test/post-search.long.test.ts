import { afterAll, beforeAll, expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import type { Locator } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { en } from '../src/text/en.ts';
import { enPosts as words } from '../src/text/en/posts.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { goTo } from './support/go-to.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { registerElsewhere } from './support/members.ts';
import { eventually, type Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { search } = en.reading;
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

/** A community with two channels of posts and one of messages, in all of which is written about rhubarb. */
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
  const { id } = await posts.create(harvest, { title: 'Rhubarb', content: 'in the **shade**' });
  await posts.comments.create(id, { content: 'Rhubarb likes **water**, see https://example.org' });
  await posts.create(harvest, { title: 'Nettles', content: 'everywhere' });
  await posts.create(seeds, { title: 'What grows in the shade?' });
  await posts.create(seeds, { title: 'A present', content: 'Quinces', spoiler: true });
  await owner.channel(tools).send('The rhubarb knife is in the shed');
  const isFound = async () =>
    (await owner.channel(tools).search({ text: 'knife' })).messages.length;
  await until(async () => (await isFound()) === 1);
  return { garden: garden.id, harvest, seeds, tools };
}

const card = ({ page }: Someone, title: string) =>
  page.locator('[data-post]').filter({ hasText: title });

const place = (within: Someone['page'] | Locator, name: string) =>
  within.locator('.post-place').getByText(name, { exact: true });

const marks = (within: Pick<Someone['page'], 'locator'>) => () =>
  within.locator('mark').allInnerTexts();

const isFocused = (element: Element) => element === document.activeElement;

browserTest(
  '[WC212][WC212b] posts and comments are searched in a channel and in its community, the words are marked, and the search stays as it was left',
  async () => {
    const found: Faults = {};
    const grace = await signIns.enter('grace', new URL(`c/garden/${made.harvest}`, instance.url));
    const { page } = grace;
    await card(grace, 'Nettles').waitFor();
    await grace.button(search.open).click();
    const text = page.getByRole('searchbox');
    await eventually(() => text.evaluate(isFocused), true);
    await page.getByText(search.hint).waitFor();
    // Without this, what is waited for is looked at half a second after it was there.
    const searched = async (act: () => Promise<unknown>) => {
      const answered = page.waitForResponse(/\/search\?/);
      await act();
      await answered;
    };
    await searched(() => text.fill('shade rhub'));
    await card(grace, 'Nettles').waitFor({ state: 'detached' });
    await card(grace, 'Rhubarb').waitFor();
    await eventually(marks(page), ['Rhubarb', 'shade']);
    const status = page.getByRole('status');
    await status.getByText(search.found.posts(1, '1'), { exact: true }).waitFor();
    await lookAt(page, 'posts', found);
    await text.press('ArrowDown');
    await eventually(() => card(grace, 'Rhubarb').evaluate(isFocused), true);
    // Into what was found, and back.
    await card(grace, 'Rhubarb').getByRole('link', { name: 'Rhubarb' }).first().click();
    await page.locator('.post-title').waitFor();
    await page.goBack();
    await card(grace, 'Rhubarb').waitFor();
    expect(await text.inputValue()).toBe('shade rhub');
    // Elsewhere in the community, by their authors, contents and days.
    await text.fill('shade');
    const where = page.getByLabel(search.where, { exact: true });
    await searched(() => where.selectOption('wider'));
    await place(card(grace, 'What grows'), 'seeds').waitFor();
    const from = page.getByLabel(search.from, { exact: true });
    await searched(() => from.fill('grace'));
    await page.getByRole('heading', { name: words.search.nothing }).waitFor();
    await status.getByText(search.nothing).waitFor();
    await searched(() => from.fill('ada'));
    await card(grace, 'What grows').waitFor();
    const until = page.getByLabel(search.until, { exact: true });
    await searched(() => until.fill('2020-01-31'));
    await page.getByRole('heading', { name: words.search.nothing }).waitFor();
    await until.fill('');
    await card(grace, 'What grows').waitFor();
    const has = page.getByLabel(search.has, { exact: true });
    await searched(() => has.selectOption('picture'));
    await page.getByRole('heading', { name: words.search.nothing }).waitFor();
    // Comments, with the same words; they have no pictures.
    await text.fill('water');
    await page.getByRole('radio', { name: search.kinds.comments }).check();
    await page.locator('[data-comment]').getByText('Rhubarb likes').waitFor();
    await eventually(marks(page), ['water']);
    await status.getByText(search.found.comments(1, '1'), { exact: true }).waitFor();
    await place(page, 'harvest').waitFor();
    await page.locator('[data-comment]').getByRole('link', { name: 'ada' }).waitFor();
    await searched(() => has.selectOption('link'));
    await page.locator('[data-comment]').getByText('Rhubarb likes').waitFor();
    await lookAt(page, 'comments', found);
    await text.press('Escape');
    await card(grace, 'Nettles').waitFor();
    await goTo(page, 'c/garden/posts');
    await card(grace, 'Nettles').waitFor();
    // The page may be there a moment before it listens to keys.
    await eventually(async () => {
      await page.keyboard.press('Control+f');
      return await text.isVisible();
    }, true);
    await searched(() => text.fill('nettl'));
    await card(grace, 'Rhubarb').waitFor({ state: 'detached' });
    await card(grace, 'Nettles').waitFor();
    await grace.button(words.search.close).click();
    await card(grace, 'Rhubarb').waitFor();
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC212][WC212a] a search of posts or comments that failed can be tried again',
  async () => {
    const grace = await signIns.enter('grace', new URL(`c/garden/${made.harvest}`, instance.url));
    const { page } = grace;
    await card(grace, 'Nettles').waitFor();
    await page.route(/\/search\?/, (route) => route.abort());
    await grace.button(search.open).click();
    const failure = page.getByRole('alert').getByText(words.failed);
    const fails = async (kind: 'posts' | 'comments', act: () => Promise<void>) => {
      const asked = page.waitForRequest((request) => request.url().includes(`kind=${kind}`));
      await act();
      await asked;
      await failure.waitFor();
      // Nothing looks as if it were still loading.
      expect(await page.locator('.post-skeleton').count()).toBe(0);
    };
    await fails('posts', () => page.getByRole('searchbox').fill('rhubarb'));
    await fails('comments', () => page.getByRole('radio', { name: search.kinds.comments }).check());
    await page.unroute(/\/search\?/);
    await grace.button(words.again).click();
    await page.locator('[data-comment]').getByText('Rhubarb likes').waitFor();
    await failure.waitFor({ state: 'detached' });
  },
);

browserTest(
  '[WC213] one search leads from messages to posts and comments of the community and back, with the same words',
  async () => {
    const found: Faults = {};
    const grace = await signIns.enter('grace', new URL(`c/garden/${made.tools}`, instance.url));
    const { page } = grace;
    await grace.log.getByText('The rhubarb knife').waitFor();
    await page.keyboard.press('Control+f');
    const panel = page.getByRole('dialog', { name: search.title });
    const hits = panel.locator('.search-hit');
    await panel.getByRole('searchbox').fill('rhub');
    await hits.getByText('The rhubarb knife').waitFor();
    // By keyboard, as among the values of any choice.
    await panel.getByRole('radio', { name: search.kinds.messages }).focus();
    await page.keyboard.press('ArrowRight');
    await panel.getByRole('status').getByText(search.found.posts(1, '1')).waitFor();
    await hits.getByText('Rhubarb', { exact: true }).waitFor();
    await eventually(marks(panel), ['Rhubarb']);
    await lookAt(page, 'posts', found);
    // What is covered stays covered.
    await panel.getByRole('searchbox').fill('quinces');
    await eventually(
      () => hits.locator('.search-hit-title, .search-hit-text').allInnerTexts(),
      ['A present'],
    );
    await panel.getByRole('searchbox').fill('rhub');
    await hits.getByText('Rhubarb', { exact: true }).waitFor();
    await panel.getByRole('radio', { name: search.kinds.posts }).focus();
    await page.keyboard.press('ArrowRight');
    await hits.getByText(search.on('Rhubarb')).waitFor();
    await lookAt(page, 'comments', found);
    await hits.click();
    await page.locator('.post-title').getByText('Rhubarb').waitFor();
    await panel.waitFor({ state: 'detached' });
    // The search of posts leads to messages.
    await goTo(page, 'c/garden/posts');
    await card(grace, 'Nettles').waitFor();
    await grace.button(search.open).click();
    await page.getByRole('searchbox').fill('rhub');
    await card(grace, 'Nettles').waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: search.kinds.messages }).check();
    const hit = page.locator('.search-hit').getByText('The rhubarb knife');
    await hit.waitFor();
    await eventually(marks(page), ['rhubarb']);
    await lookAt(page, 'messages', found);
    await hit.click();
    await grace.log.locator('[data-sought]').getByText('The rhubarb knife').waitFor();
    await page.goBack();
    await hit.waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('rhub');
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC213][WC213a] messages found beside posts have the present names and addresses of their channels, and go when they are deleted',
  async () => {
    const { garden, seeds, tools } = made;
    const { id } = await ada.channel(tools).send('Where is the lavender?');
    const grace = await signIns.enter('grace', new URL(`c/garden/${seeds}`, instance.url));
    const { page } = grace;
    await card(grace, 'What grows').waitFor();
    await grace.button(search.open).click();
    const text = page.getByRole('searchbox');
    await text.fill('lavender');
    await page.getByRole('radio', { name: search.kinds.messages }).check();
    const hit = (content: string) => page.locator('.search-hit').filter({ hasText: content });
    await hit('Where is the lavender?').getByText('#tools').waitFor();
    // In a channel made meanwhile, in a community that has moved.
    const shed = await ada.communities.channels.create(garden, { kind: 'messages', name: 'shed' });
    await ada.channel(shed.id).send('The lavender dries here');
    await ada.communities.change(garden, { slug: 'orchard' });
    await page.waitForURL(/orchard/);
    await text.fill('lavende');
    await hit('dries here').getByText('#shed').waitFor();
    const address = () => hit('Where is').getAttribute('href');
    await eventually(address, `./c/orchard/${tools}/${id}`);
    // Deleted while what was found is not shown.
    await hit('dries here').click();
    await grace.log.getByText('dries here').waitFor();
    await ada.channel(tools).remove(id);
    await page.goBack();
    await hit('dries here').waitFor();
    await hit('Where is').waitFor({ state: 'detached' });
  },
);
