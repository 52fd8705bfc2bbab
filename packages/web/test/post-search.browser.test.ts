import { afterAll, beforeAll, expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
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
const signIns = new KeptSignIns(browser, /status of (401|404)/);
let instance: WebInstance;
let ada: Client;
let made: { readonly harvest: Id; readonly tools: Id };

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
  await owner.channel(tools).send('The rhubarb knife is in the shed');
  return { harvest, tools };
}

const card = ({ page }: Someone, title: string) =>
  page.locator('[data-post]').filter({ hasText: title });

const marks = (within: Pick<Someone['page'], 'locator'>) => () =>
  within.locator('mark').allInnerTexts();

browserTest(
  '[WC212] posts and comments are searched in a channel and in its community, the words are marked, and the search stays as it was left',
  async () => {
    const found: Faults = {};
    const grace = await signIns.enter('grace', new URL(`c/garden/${made.harvest}`, instance.url));
    const { page } = grace;
    await card(grace, 'Nettles').waitFor();
    await grace.button(search.open).click();
    const text = page.getByRole('searchbox');
    await eventually(() => text.evaluate((field) => field === document.activeElement), true);
    await page.getByText(search.hint).waitFor();
    await text.fill('shade rhub');
    await card(grace, 'Nettles').waitFor({ state: 'detached' });
    await card(grace, 'Rhubarb').waitFor();
    await eventually(marks(page), ['Rhubarb', 'shade']);
    await lookAt(page, 'posts', found);
    // Into what was found, and back.
    await card(grace, 'Rhubarb').getByRole('link', { name: 'Rhubarb' }).first().click();
    await page.locator('.post-title').waitFor();
    await page.goBack();
    await card(grace, 'Rhubarb').waitFor();
    expect(await text.inputValue()).toBe('shade rhub');
    // Elsewhere in the community, by their authors, contents and days.
    await text.fill('shade');
    await page.getByLabel(search.where, { exact: true }).selectOption('wider');
    await card(grace, 'What grows').waitFor();
    await page.getByLabel(search.from, { exact: true }).fill('grace');
    await page.getByText(words.search.nothing).waitFor();
    await page.getByLabel(search.from, { exact: true }).fill('ada');
    await card(grace, 'What grows').waitFor();
    await page.getByLabel(search.until, { exact: true }).fill('2020-01-31');
    await page.getByText(words.search.nothing).waitFor();
    await page.getByLabel(search.until, { exact: true }).fill('');
    await card(grace, 'What grows').waitFor();
    await page.getByLabel(search.has, { exact: true }).selectOption('picture');
    await page.getByText(words.search.nothing).waitFor();
    // Comments, with the same words; they have no pictures.
    await text.fill('water');
    await page.getByRole('radio', { name: search.kinds.comments }).check();
    await page.locator('[data-comment]').getByText('Rhubarb likes').waitFor();
    await eventually(marks(page), ['water']);
    await page.locator('[data-comment]').getByRole('link', { name: 'ada' }).waitFor();
    await page.getByLabel(search.has, { exact: true }).selectOption('link');
    await page.locator('[data-comment]').getByText('Rhubarb likes').waitFor();
    await lookAt(page, 'comments', found);
    await text.press('Escape');
    await card(grace, 'Nettles').waitFor();
    await goTo(page, 'c/garden/posts');
    await card(grace, 'Nettles').waitFor();
    await page.keyboard.press('Control+f');
    await text.fill('nettl');
    await card(grace, 'Rhubarb').waitFor({ state: 'detached' });
    await card(grace, 'Nettles').waitFor();
    await grace.button(words.search.close).click();
    await card(grace, 'Rhubarb').waitFor();
    expect(found).toEqual({});
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
    await panel.getByText(search.found.posts(1, '1')).waitFor();
    await hits.getByText('Rhubarb', { exact: true }).waitFor();
    await eventually(marks(panel), ['Rhubarb']);
    await lookAt(page, 'posts', found);
    await page.keyboard.press('ArrowRight');
    await hits.getByText(search.on('Rhubarb')).waitFor();
    await lookAt(page, 'comments', found);
    await hits.click();
    await page.locator('.post-title').getByText('Rhubarb').waitFor();
    await panel.waitFor({ state: 'detached' });
    // The search of posts leads to messages.
    await goTo(page, 'c/garden/posts');
    await card(grace, 'Nettles').waitFor();
    await page.keyboard.press('Control+f');
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
