import { afterAll, beforeAll, expect } from 'bun:test';
import { join } from 'node:path';
import type { Id } from '@hearth/protocol';
import type { Locator } from 'playwright-core';
import type { Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../src/text/en.ts';
import { enCommunitySettings } from '../src/text/en/community-settings.ts';
import { enPosts } from '../src/text/en/posts.ts';
import { enReading } from '../src/text/en/reading.ts';
import { enPostWriting as words } from '../src/text/en/post-writing.ts';
import { goTo } from './support/go-to.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { control, registerElsewhere } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const MEDIA = join(import.meta.dir, '../../testing/src/media');

const browser = useBrowser();
const signIns = new KeptSignIns(browser, /status of (401|404|422)/);
let instance: WebInstance;
let ada: Client;
let garden: Id;
let channel: Id;
let talk: Id;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registerElsewhere(instance, 'ada');
  ({ id: garden } = await ada.communities.create({
    name: 'Garden',
    slug: 'garden',
    kind: 'both',
    visibility: 'public',
  }));
  const { channels } = ada.communities;
  ({ id: channel } = await channels.create(garden, { kind: 'posts', name: 'harvest' }));
  ({ id: talk } = await channels.create(garden, { kind: 'messages', name: 'talk' }));
  await channels.create(garden, { kind: 'posts', name: 'questions' });
  await channels.change(channel, {
    tags: [{ name: 'Tulips', colour: '#9c2f6b' }, { name: 'Tools' }],
  });
});

afterAll(() => instance[Symbol.asyncDispose]());

const enter = (path: string): Promise<Someone> => signIns.enter('ada', new URL(path, instance.url));

const shot = async ({ page }: Someone, name: string) => {
  const folder = process.env['SHOTS'];
  if (folder === undefined) return;
  for (const [look, width] of [
    ['wide', 1280],
    ['narrow', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 820 });
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${folder}/${name}-${look}.png` });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
};

browserTest(
  '[WC200][WC201][WC202][WC203] a post is written with preview, tags, pictures and a poll, kept, and sent with Ctrl+Enter',
  async () => {
    const found: Faults = {};
    const someone = await enter(`c/garden/${channel}`);
    const { page } = someone;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: enPosts.newPost }).click();
    await control(page, words.text).fill('Two heads, **really**.');
    // Without a title, nothing is sent, and the field is named.
    await control(page, words.text).press('Control+Enter');
    await dialog.getByText(words.problems['title']?.['missing'] ?? '').waitFor();
    await eventually(
      () => control(page, words.title).evaluate((box) => box === document.activeElement),
      true,
    );
    await control(page, words.title).fill('A tulip with two heads');
    await dialog.getByRole('button', { name: words.preview }).click();
    await dialog.locator('.write-preview strong').waitFor();
    await dialog.getByRole('checkbox', { name: 'Tulips' }).check();
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const files = ['one.png', 'two.png'].map((name) => ({
      name,
      mimeType: 'image/png',
      buffer: picture,
    }));
    await dialog.locator('input[type=file]').setInputFiles(files);
    await control(page, words.alt('one.png')).fill('A red tulip');
    await control(page, words.alt('two.png')).waitFor();
    await dialog.getByRole('button', { name: words.addPoll }).click();
    await control(page, words.option('1')).fill('Plant it');
    await control(page, words.option('2')).fill('Eat it');
    await lookAt(page, 'composer', found);
    await shot(someone, 'composer');
    expect(found).toEqual({});
    // It is all there after the page was closed.
    await page.reload();
    await page.getByRole('button', { name: enPosts.newPost }).click();
    expect(await control(page, words.title).inputValue()).toBe('A tulip with two heads');
    expect(await control(page, words.alt('one.png')).inputValue()).toBe('A red tulip');
    await shot(someone, 'composer-again');
    await control(page, words.title).press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('[data-post]').filter({ hasText: 'two heads' }).waitFor();
    const { entries } = await ada.posts.list({ channel_id: channel }, { sort: 'new' });
    expect(entries).toMatchObject([
      { title: 'A tulip with two heads', content: 'Two heads, **really**.' },
    ]);
    expect(entries[0]?.attachments?.map(({ alt }) => alt)).toEqual(['A red tulip', undefined]);
    expect(entries[0]?.poll?.options.map(({ text }) => text)).toEqual(['Plant it', 'Eat it']);
    expect(entries[0]?.tag_ids).toHaveLength(1);
    // The draft is gone.
    await page.getByRole('button', { name: enPosts.newPost }).click();
    expect(await control(page, words.title).inputValue()).toBe('');
    await page.keyboard.press('Escape');
  },
);

browserTest('[WC203] the video of a post plays in its page', async () => {
  const someone = await enter(`c/garden/${channel}`);
  const { page } = someone;
  await page.getByRole('button', { name: enPosts.newPost }).click();
  await control(page, words.title).fill('A bee at work');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(join(MEDIA, 'vp9.webm'));
  await control(page, words.alt('vp9.webm')).waitFor();
  await control(page, words.title).press('Control+Enter');
  await page.locator('[data-post]').getByRole('link', { name: 'A bee at work' }).first().click();
  await page.getByRole('button', { name: en.attachments.play('vp9.webm') }).click();
  await eventually(
    () =>
      page
        .locator('.post video')
        .evaluate((element) =>
          element instanceof HTMLVideoElement ? [element.videoWidth, element.error] : [],
        ),
    [64, null],
  );
});

browserTest('[WC204] a post is changed with the same form', async () => {
  const { id } = await ada.posts.create(channel, { title: 'Spaids', content: 'Which?' });
  const someone = await enter(`c/garden/p/${id}`);
  const { page } = someone;
  const dialog = page.getByRole('dialog');
  const open = async (name: string) => {
    await page.getByRole('button', { name: enPosts.menu }).click();
    await page.getByRole('menuitem', { name }).click();
    await dialog.waitFor();
  };
  await open(enPosts.edit);
  expect(await control(page, words.text).inputValue()).toBe('Which?');
  await control(page, words.title).fill('Spades');
  await shot(someone, 'edit');
  await control(page, words.title).press('Control+Enter');
  await page.getByRole('heading', { name: 'Spades' }).waitFor();
  expect(await ada.posts.find(id)).toMatchObject({ title: 'Spades', content: 'Which?' });
});

browserTest(
  '[WC206] the settings of a channel with posts have its tags, down votes, hidden scores and cards',
  async () => {
    const found: Faults = {};
    const someone = await enter('c/garden/settings/channels');
    const { page } = someone;
    const { posts: settings, save, saved } = enCommunitySettings;
    await page
      .getByRole('button', { name: /harvest/ })
      .last()
      .click();
    await control(page, settings.tagName('Tools')).fill('Spades');
    await control(page, settings.removeTag('Tulips')).click();
    await page.getByRole('button', { name: settings.addTag }).click();
    await control(page, settings.tagName('')).fill('Bulbs');
    await control(page, settings.downvotes).uncheck();
    await control(page, settings.hide).selectOption('3600');
    await page.getByRole('checkbox', { name: 'talk' }).check();
    await lookAt(page, 'settings', found);
    await shot(someone, 'settings');
    expect(found).toEqual({});
    const form = page.locator('form').filter({ hasText: settings.questions });
    await form.getByRole('button', { name: save, exact: true }).click();
    await form.getByText(saved).waitFor();
    const changed = await ada.communities.channels.find(channel);
    expect(changed.tags?.map(({ name }) => name)).toEqual(['Spades', 'Bulbs']);
    expect(changed).toMatchObject({
      downvotes: false,
      hide_scores_seconds: 3600,
      card_channel_ids: [talk],
    });
  },
);

browserTest('[WC207] a message is made into a post, which begins with its text', async () => {
  await ada.channel(talk).send({ content: 'Tulips are **back**' });
  const someone = await enter(`c/garden/${talk}`);
  const { page } = someone;
  await page.getByText('Tulips are').click({ button: 'right' });
  await page.getByRole('menuitem', { name: words.fromMessage }).click();
  await control(page, words.channel).selectOption({ label: 'questions' });
  expect(await control(page, words.text).inputValue()).toBe('Tulips are **back**');
  await control(page, words.title).fill('Tulips again');
  await shot(someone, 'message');
  await control(page, words.title).press('Control+Enter');
  await page.locator('[data-post]').filter({ hasText: 'Tulips again' }).waitFor();
});

browserTest(
  '[WC205][WC209][WC210] messages and posts lead to each other, new posts are cards, and posts are repeated and named',
  async () => {
    const found: Faults = {};
    const message = await ada.channel(talk).send({ content: 'The oak is leafing' });
    const source = { channel_id: talk, id: message.id };
    const someone = await enter(`c/garden/${talk}`);
    const { page, log } = someone;
    await someone.reads('The oak is leafing');
    // The message learns of its post while it is shown.
    const made = await ada.posts.create(channel, { title: 'Oak', from_message: source });
    const row = log.locator('.message').filter({ hasText: 'The oak is leafing' });
    await row.getByRole('link', { name: enReading.hasPost }).click();
    await page.getByRole('heading', { name: 'Oak' }).waitFor();
    await page.getByRole('link', { name: enPosts.fromMessage }).click();
    await row.waitFor();
    await row.click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    expect(await page.getByRole('menuitem', { name: words.fromMessage }).count()).toBe(0);
    await page.keyboard.press('Escape');

    // A card, which is no message that one edits.
    await ada.communities.channels.change(channel, { card_channel_ids: [talk] });
    const carded = await ada.posts.create(channel, { title: 'Beans are up' });
    const card = log.getByRole('link', { name: 'Beans are up' });
    await card.waitFor();
    await lookAt(page, 'card', found);
    await shot(someone, 'card');
    await card.click();
    await page.getByRole('heading', { name: 'Beans are up' }).waitFor();

    // It is repeated in another community, where its address says so.
    const other = await ada.communities.create({
      ...{ name: 'Street', slug: 'street', kind: 'posts', visibility: 'public' },
    });
    const [place] = await ada.communities.channels.list(other.id);
    await page.getByRole('button', { name: enPosts.menu }).click();
    await page.getByRole('menuitem', { name: words.crosspost }).click();
    await control(page, words.channel).selectOption({ label: `Street · ${place?.name ?? ''}` });
    await page.getByRole('button', { name: words.publish, exact: true }).click();
    const repeated = page.getByRole('link', { name: enPosts.repeats('Beans are up') });
    await repeated.waitFor();
    await shot(someone, 'repeated');
    expect(new URL(page.url()).pathname).toStartWith('/c/street/p/');
    await repeated.click();
    await eventually(
      () => Promise.resolve(new URL(page.url()).pathname),
      `/c/garden/p/${carded.id}/beans-are-up`,
    );
    await goTo(page, `c/street/p/${carded.id}`);
    await eventually(
      () => Promise.resolve(new URL(page.url()).pathname),
      `/c/garden/p/${carded.id}/beans-are-up`,
    );

    // Its address in a message is its title.
    await ada.channel(talk).send({ content: `Look at /c/garden/p/${made.id}/oak, please` });
    await goTo(page, `c/garden/${talk}`);
    const naming = log.locator('.message').filter({ hasText: 'Look at Oak, please' });
    const title = (within: Locator) => within.getByRole('link', { name: 'Oak', exact: true });
    await title(naming).click();
    await page.getByRole('heading', { name: 'Oak' }).waitFor();
    // So is it in a post and in a comment, but not the address of a post that others do not see.
    const cellar = await ada.communities.channels.create(garden, { kind: 'posts', name: 'cellar' });
    await ada.communities.channels.change(cellar.id, { card_channel_ids: [talk] });
    const secret = await ada.posts.create(cellar.id, { title: 'Wine is ready' });
    await page.goto(new URL(`c/garden/${talk}`, instance.url).href);
    const wine = log.getByText('Wine is ready');
    await wine.waitFor();
    await ada.communities.channels.setOverwrite(
      { channel_id: cellar.id, id: garden },
      { kind: 'role', allow: [], deny: ['VIEW'] },
    );
    const content = `See /c/garden/p/${made.id}/oak and /c/garden/p/${secret.id}/wine`;
    const both = await ada.posts.create(channel, { title: 'Two posts', content });
    await ada.posts.comments.create(both.id, { content });
    await ada.channel(talk).send({ content });
    await page.reload();
    const said = `See Oak and /c/garden/p/${secret.id}/wine`;
    await log.getByText(said).waitFor();
    // A card of such a post has neither its title nor a link to it.
    await log.getByText(enReading.hiddenPost).waitFor();
    expect(await wine.count()).toBe(0);
    expect(await log.locator(`a[href*="${secret.id}"]`).count()).toBe(0);
    await lookAt(page, 'hidden card', found);
    await shot(someone, 'hidden-card');
    await page.goto(new URL(`c/garden/p/${both.id}`, instance.url).href);
    for (const within of [page.locator('.post'), page.locator('.comments')]) {
      await within.getByText(said).waitFor();
      expect(await within.locator(`a[href*="${secret.id}"]`).count()).toBe(0);
    }
    await title(page.locator('.comments')).click();
    await page.getByRole('heading', { name: 'Oak' }).waitFor();
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC208] the page of a person has what they have written, and opens cold where the reader left it',
  async () => {
    const found: Faults = {};
    const { id } = await ada.posts.create(channel, { title: 'An elm to keep' });
    await ada.posts.save(id);
    const { id: first } = await ada.posts.comments.create(id, { content: 'It is *tall*.' });
    await ada.posts.comments.create(id, { content: 'It is old.', parent_id: first });
    for (let at = 0; at < 40; at += 1) {
      await ada.posts.comments.create(id, { content: `It has ${at} leaves.\n\n- one\n- two` });
    }
    const someone = await enter('u/ada');
    const { page } = someone;
    await page.getByRole('main').getByRole('link', { name: 'An elm to keep' }).waitFor();
    expect(await page.title()).toStartWith('@ada');
    await shot(someone, 'person');
    await lookAt(page, 'person', found);
    // The next page comes before it is asked for, and Back leads to the same place.
    await someone.button(words.comments).click();
    await page.getByText('It has 39 leaves.').waitFor();
    await shot(someone, 'person-comments');
    await lookAt(page, 'comments of a person', found);
    await page.getByText('It has 12 leaves.').scrollIntoViewIfNeeded();
    const oldest = page.locator(`[data-comment="${first}"]`);
    await oldest.getByText('It is tall.').waitFor({ state: 'attached' });
    const at = page.locator('[data-comment]').filter({ hasText: 'It has 12 leaves.' });
    await at.locator('.comment-link').click();
    await page.locator('[data-linked]').getByText('It has 12 leaves.').waitFor();
    await page.goBack();
    await at.waitFor();
    await eventually(() => isInView(at), true);
    await someone.button(words.saved).click();
    await page.getByRole('main').getByRole('link', { name: 'An elm to keep' }).click();
    await page.getByRole('heading', { name: 'An elm to keep' }).waitFor();
    // An author in a list leads to the page; the menu of the account to a dialog, which leads to the page.
    await page.locator('.post .by').first().click();
    await page.getByRole('main', { name: 'ada' }).waitFor();
    await page.getByRole('link', { name: 'An elm to keep' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(found).toEqual({});
  },
);

const isInView = (item: Locator) =>
  item.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
