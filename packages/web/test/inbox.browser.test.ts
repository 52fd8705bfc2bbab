import { afterAll, beforeAll, expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { enChannelMessages } from '../src/text/en/channel-messages.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { goTo } from './support/go-to.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { layoutFaults } from './support/layout.ts';
import { registerElsewhere } from './support/members.ts';
import { eventually, type Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { inbox: words } = enChannelMessages;

const browser = useBrowser();
const signIns = new KeptSignIns(browser, /status of (401|404)/);
let instance: WebInstance;
let ada: Client;
let grace: Client;
let talk: Id;
let questions: Id;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registerElsewhere(instance, 'ada');
  grace = await registerElsewhere(instance, 'grace');
  const made = await ada.communities.create({
    ...{ name: 'Lantern Garden', slug: 'garden', visibility: 'public' },
  });
  talk = made.channels[0]?.id ?? made.id;
  const about = { kind: 'posts', name: 'questions' } as const;
  questions = (await ada.communities.channels.create(made.id, about)).id;
  await grace.communities.join(made.id);
});

afterAll(() => instance[Symbol.asyncDispose]());

const enter = (path: string) => signIns.enter('grace', new URL(path, instance.url));
const bell = ({ page }: Someone, label: string) => page.getByRole('button', { name: label });
const inboxOf = ({ page }: Someone) => page.getByRole('dialog', { name: words.title });
const pathOf = ({ page }: Someone) => new URL(page.url()).pathname;
const unread = (count: number) => words.unread(count, String(count));

const shot = async ({ page }: Someone, name: string) => {
  const folder = process.env['SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

/** Returns what an entry says: who did what, the words, and where. */
const linesOf = (someone: Someone) =>
  inboxOf(someone)
    .locator('.inbox-entry')
    .evaluateAll((entries) =>
      entries.map((entry) =>
        ['.inbox-entry-who', '.inbox-entry-words', '.inbox-entry-where'].map(
          (part) => entry.querySelector(part)?.textContent?.replace(/ \(unread\)$/, '') ?? '',
        ),
      ),
    );

browserTest(
  '[WC180][WC230][WC230a][WC231] replies and mentions in messages, posts and comments come live to every page, with their words, and lead to their places',
  async () => {
    const someone = await enter('lobby');
    const { page } = someone;
    await bell(someone, words.title).waitFor();
    // All of it comes while the page is open.
    const asked = await grace.posts.create(questions, { title: 'Which pears?' });
    const mine = await grace.posts.comments.create(asked.id, { content: 'I mean to dry' });
    const said = await grace.channel(talk).send('who is there?');
    const post = await ada.posts.create(questions, { title: 'Plums', content: 'for @grace' });
    const root = await ada.posts.comments.create(asked.id, { content: '**Conference**' });
    const below = await ada.posts.comments.create(asked.id, {
      content: '@grace the ||Williams||',
      parent_id: mine.id,
    });
    const answer = await ada.channel(talk).reply(said, 'I am');
    await bell(someone, unread(4)).waitFor();
    await eventually(() => page.title(), '(4) Lantern Street');
    await bell(someone, unread(4)).press('Enter');
    await eventually(
      () => linesOf(someone),
      [
        [words.replied.message('ada'), 'I am', '#general · Lantern Garden · '],
        [
          words.mentioned.comment('ada'),
          '@grace the ▇▇▇',
          'Which pears? · #questions · Lantern Garden · ',
        ],
        [
          words.replied.comment('ada'),
          'Conference',
          'Which pears? · #questions · Lantern Garden · ',
        ],
        [words.mentioned.post('ada'), 'for @grace', 'Plums · #questions · Lantern Garden · '],
      ],
    );
    const found: Faults = {};
    await lookAt(page, 'inbox', found);
    await shot(someone, 'inbox');
    await page.setViewportSize({ width: 390, height: 800 });
    await shot(someone, 'inbox-phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    // Each leads to its place, and is read with it.
    const open = async (text: string) => {
      await inboxOf(someone).locator('.inbox-entry').filter({ hasText: text }).click();
      await inboxOf(someone).waitFor({ state: 'detached' });
    };
    await open('Conference');
    await page.locator(`[data-comment="${root.id}"]`).getByText('Conference').waitFor();
    expect(pathOf(someone)).toBe(`/c/garden/p/${asked.id}/which-pears/${root.id}`);
    // Both comments on that post.
    await bell(someone, unread(2)).click();
    await open('Plums');
    await page.getByRole('heading', { name: 'Plums' }).waitFor();
    await bell(someone, unread(1)).click();
    await open('I am');
    await someone.log.locator('[data-sought]').getByText('I am').waitFor();
    expect(pathOf(someone)).toBe(`/c/garden/${talk}/${answer.id}`);
    await bell(someone, words.title).waitFor();
    await eventually(async () => (await page.title()).startsWith('('), false);
    expect(found).toEqual({});
    // Cold, too.
    const cold = await enter(`c/garden/p/${asked.id}/-/${below.id}`);
    await cold.page.locator(`[data-comment="${below.id}"]`).waitFor();
    await cold.page.goto(new URL(`c/garden/p/${post.id}`, instance.url).href);
    await cold.page.getByRole('heading', { name: 'Plums' }).waitFor();
    // What is deleted shows nothing of itself.
    await ada.posts.remove(asked.id);
    await bell(cold, words.title).click();
    await eventually(
      async () => (await linesOf(cold)).map(([, text]) => text),
      ['I am', 'for @grace'],
    );
  },
);

browserTest('[WC230] every header has the bell, wide and on a phone', async () => {
  const someone = await enter('');
  const { page } = someone;
  const post = await grace.posts.create(questions, { title: 'Is it in every header?' });
  await ada.posts.comments.create(post.id, { content: 'It is' });
  const found: Faults = {};
  const places = {
    home: '',
    lobby: 'lobby',
    feed: 'feed',
    find: 'communities',
    community: 'c/garden',
    'all posts': 'c/garden/posts',
    channel: `c/garden/${talk}`,
    posts: `c/garden/${questions}`,
    person: 'u/ada',
    settings: 'settings/profile',
    'community settings': 'c/garden/settings/leave',
  };
  const widths = { wide: 1280, phone: 390 };
  for (const [place, path] of Object.entries(places)) {
    await goTo(page, path);
    for (const [name, width] of Object.entries(widths)) {
      await page.setViewportSize({ width, height: 800 });
      await page.locator('.inbox-button:visible').last().waitFor();
      await bell(someone, unread(1)).last().waitFor();
      const faults = await layoutFaults(page);
      if (faults.length > 0) found[`${place} ${name}`] = faults;
      await shot(someone, `bell-${place.replace(' ', '-')}-${name}`);
    }
  }
  // Over the settings, too: it closes alone, and its entries lead away from both.
  const settings = page.getByRole('dialog').first();
  await page.locator('dialog .inbox-button').press('Enter');
  await inboxOf(someone).waitFor();
  await page.keyboard.press('Escape');
  await inboxOf(someone).waitFor({ state: 'detached' });
  await settings.waitFor();
  await page.locator('dialog .inbox-button').click();
  await inboxOf(someone).locator('.inbox-entry', { hasText: 'It is' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Is it in every header?' }).waitFor();
  expect(found).toEqual({});
});
