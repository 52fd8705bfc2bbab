import { afterAll, beforeAll, expect } from 'bun:test';
import { idSchema } from '@hearth/protocol/schemas';
import type { Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import type { Locator } from 'playwright-core';
import { enPostWriting as writing } from '../src/text/en/post-writing.ts';
import { enPosts as words } from '../src/text/en/posts.ts';
import { goTo } from './support/go-to.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { registerElsewhere } from './support/members.ts';
import { makePosts, type PostShowcase } from './support/post-showcase.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
const signIns = new KeptSignIns(browser, /status of (401|404)/);
let instance: WebInstance;
let ada: Client;
let graceClient: Client;
let made: PostShowcase;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registerElsewhere(instance, 'ada');
  graceClient = await registerElsewhere(instance, 'grace');
  made = await makePosts(ada, graceClient);
});

afterAll(() => instance[Symbol.asyncDispose]());

const enter = (username: string, path: string): Promise<Someone> =>
  signIns.enter(username, new URL(path, instance.url));

const card = ({ page }: Someone, title: string | RegExp) =>
  page.locator('[data-post]').filter({ hasText: title });

const commentWith = ({ page }: Someone, text: string) =>
  page.locator('[data-comment]').filter({ hasText: text });

browserTest(
  '[WC181][WC182][WC183][WC188] a list is read with the keyboard, in two looks, and stays as it was left',
  async () => {
    const found: Faults = {};
    const grace = await enter('grace', `c/garden/${made.channel}`);
    const { page } = grace;
    await card(grace, 'two heads').waitFor();
    expect(await page.locator('[data-post]').first().innerText()).toContain(words.pinned);
    await lookAt(page, 'cards', found);
    // With the keyboard: to the second post, a vote, and into it.
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const second = page.locator('[data-post]').nth(1);
    await eventually(() => second.evaluate((post) => post === document.activeElement), true);
    await page.keyboard.press('a');
    const up = second.getByRole('button', { name: words.voteUp });
    await eventually(() => up.getAttribute('aria-pressed'), 'true');
    await page.keyboard.press('z');
    await eventually(() => up.getAttribute('aria-pressed'), 'false');
    await page.keyboard.press('Enter');
    await page.locator('.post-title').waitFor();
    await page.goBack();
    await second.waitFor();
    await eventually(() => second.evaluate((post) => post === document.activeElement), true);

    // Lines, which the browser keeps; tags; what is new.
    await grace.button(words.looks.lines).click();
    await page.locator('[data-post][data-look=lines]').first().waitFor();
    await lookAt(page, 'lines', found);
    await page.reload();
    await page.locator('[data-post][data-look=lines]').first().waitFor();
    await page.getByLabel(words.tag, { exact: true }).selectOption({ label: 'Tools' });
    await card(grace, 'two heads').waitFor({ state: 'detached' });
    await card(grace, 'Which spade lasts?').waitFor();
    await page.getByLabel(words.tag, { exact: true }).selectOption({ label: words.everyTag });
    await page.getByLabel(words.sort, { exact: true }).selectOption({ label: words.sorts.new });
    await card(grace, 'two heads').waitFor();
    await ada.posts.create(made.channel, { title: 'The beans are up' });
    await grace.button(words.newPosts(1, '1')).click();
    await card(grace, 'The beans are up').waitFor();
    await page.keyboard.press('?');
    await page.getByText(words.keys.vote).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => Reflect.get(history.state, 'isCover') !== true);
    await goTo(page, 'feed');
    await card(grace, 'The beans are up').waitFor();
    await lookAt(page, 'feed', found);
    await goTo(page, `c/garden/${made.channel}`);
    await grace.button(words.looks.cards).click();
    await page.locator('[data-post][data-look=cards]').first().waitFor();
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC184][WC185][WC186][WC189] a post is read and discussed by two people at once',
  async () => {
    const found: Faults = {};
    const grace = await enter('grace', `c/garden/p/${made.long}/any-title`);
    const { page } = grace;
    await page.getByText('Did it bloom the year after?').waitFor();
    expect(await page.title()).toContain('A tulip with two heads');
    await page.getByText(words.deletedComment).waitFor();
    await lookAt(page, 'post', found);

    // Live: a reply appears, and a comment on the post waits.
    const { entries } = await ada.posts.comments.list(made.long);
    const first = entries.find(({ content }) => content?.startsWith('Mine did') === true);
    await ada.posts.comments.create(made.long, { content: 'In mine too.', parent_id: first?.id });
    await commentWith(grace, 'In mine too.').waitFor();
    await ada.posts.comments.create(made.long, 'From elsewhere.');
    await grace.button(words.newComments(1, '1')).click();
    await commentWith(grace, 'From elsewhere.').waitFor();

    // A reply in place, a vote, and folding.
    await commentWith(grace, 'In mine too.')
      .getByRole('button', { name: words.reply, exact: true })
      .click();
    const box = page.getByRole('textbox', { name: words.replyTo('ada') });
    await box.fill('How warm was it?');
    await box.press('Control+Enter');
    await commentWith(grace, 'How warm was it?').waitFor();
    await box.waitFor({ state: 'detached' });
    const start = commentWith(grace, 'Mine did that').first();
    await start.focus();
    await page.keyboard.press('x');
    await commentWith(grace, 'How warm was it?').waitFor({ state: 'detached' });
    await page.keyboard.press('x');
    await commentWith(grace, 'How warm was it?').waitFor();
    await commentWith(grace, 'From elsewhere.').getByRole('button', { name: words.voteUp }).click();
    await eventually(
      async () => (await ada.posts.comments.list(made.long)).entries.at(-1)?.depth !== undefined,
      true,
    );
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC184][WC185] deep trees, polls, covered posts and those that are gone are shown',
  async () => {
    const found: Faults = {};
    const grace = await enter('grace', `c/garden/p/${made.deep}`);
    const { page } = grace;
    await page.getByText('This is level 8 of it.').waitFor();
    await page.locator('.more-replies').click();
    await page.getByText('This is level 14 of it.').waitFor();
    await lookAt(page, 'deep', found);
    await goTo(page, `c/garden/p/${made.poll}`);
    await page.getByLabel('Beans', { exact: true }).check();
    await page.locator('.poll').getByRole('button', { name: words.poll.vote }).click();
    await page.getByText('100%').waitFor();
    await lookAt(page, 'poll', found);
    await goTo(page, `c/garden/p/${made.covered}`);
    await page.getByText(words.covered.spoiler).waitFor();
    expect(await page.getByText('It was the mole.').count()).toBe(0);
    await lookAt(page, 'covered', found);
    await grace.button(words.reveal).click();
    await page.getByText('It was the mole.').waitFor();
    await goTo(page, `c/garden/p/${made.channel}`);
    await page.getByText(words.gone).waitFor();
    expect(found).toEqual({});
  },
);

browserTest('[WC187] a comment has an address, with the way to it and to all', async () => {
  const { entries } = await ada.posts.comments.list(made.deep);
  const fourth = entries.find(({ content }) => content === 'This is level 4 of it.');
  const grace = await enter('grace', `c/garden/p/${made.deep}/a-long-conversation/${fourth?.id}`);
  const { page } = grace;
  await page.locator('[data-linked]').getByText('This is level 4 of it.').waitFor();
  await page.getByText('This is level 1 of it.').waitFor();
  await page.getByText('This is level 5 of it.').waitFor();
  await page.getByRole('link', { name: words.allComments }).click();
  await page.locator('[data-linked]').waitFor({ state: 'detached' });
});

browserTest(
  '[WC184][WC214] moderators pin, delete and see who voted in the menu of a post, and members write one',
  async () => {
    const found: Faults = {};
    const owner = await enter('ada', `c/garden/${made.channel}`);
    const { page } = owner;
    await owner.button(words.newPost).click();
    await page.getByLabel(words.title, { exact: true }).fill('A post to be deleted');
    await page.getByLabel(words.text, { exact: true }).fill('With **text**.');
    await page.getByRole('dialog').getByRole('button', { name: words.publish }).click();
    const tree = page.waitForResponse(/\/posts\/\d+\/comments/);
    await page.getByRole('link', { name: 'A post to be deleted' }).click();
    await page.locator('.post-title').getByText('A post to be deleted').waitFor();
    // A comment that comes before its tree is in the tree.
    await tree;
    const menu = owner.button(words.menu);
    const id = idSchema.parse(/\/p\/(\d+)/.exec(page.url())?.[1]);
    const { id: answer } = await graceClient.posts.comments.create(id, 'Why?');
    await graceClient.posts.vote(id, -1);
    await ada.posts.comments.vote(answer, 1);
    const seeWhoVoted = async (from: Locator, name: string, how: string) => {
      await from.click();
      await page.getByRole('menuitem', { name: words.voters.menu }).click();
      await page.getByRole('listitem').filter({ hasText: name }).getByText(how).waitFor();
    };
    await owner.button(words.newComments(1, '1')).click();
    await seeWhoVoted(owner.button(words.commentMenu('grace')), 'ada', words.voters.up);
    await page.keyboard.press('Escape');
    await seeWhoVoted(menu, 'grace', words.voters.down);
    await lookAt(page, 'who voted', found);
    await page.getByRole('dialog').getByRole('button', { name: words.voters.kinds.up }).click();
    await page.getByText(words.voters.none.up).waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => menu.evaluate((button) => button === document.activeElement), true);
    expect(found).toEqual({});
    await menu.click();
    await page.getByRole('menuitem', { name: words.pin, exact: true }).click();
    await page.locator('.post').getByText(words.pinned).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: words.remove }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.remove }).click();
    await card(owner, 'two heads').waitFor();
    expect(await card(owner, 'A post to be deleted').count()).toBe(0);
  },
);

browserTest(
  '[WC211][WC214] the author of a question accepts an answer, and another one, and does not see who voted',
  async () => {
    const grace = await enter('grace', `c/garden/p/${made.question}`);
    const { page } = grace;
    const above = page.getByRole('region', { name: words.answer });
    const accept = async (text: string, item: string) => {
      await commentWith(grace, text)
        .last()
        .getByRole('button', { name: words.commentMenu('ada') })
        .click();
      const items = await page.getByRole('menuitem').allInnerTexts();
      expect(items).not.toContain(words.voters.menu);
      await page.getByRole('menuitem', { name: item }).click();
    };
    // The newer comment is the first one of the tree, as long as nobody has voted.
    await above.getByText('Steel, forged in one piece.').waitFor();
    await accept('Or borrow one.', words.accept);
    await above.waitFor({ state: 'detached' });
    await commentWith(grace, 'Or borrow one.').getByText(words.answer).waitFor();
    await accept('Steel, forged in one piece.', words.accept);
    await above.getByText('Steel, forged in one piece.').waitFor();
    await accept('Steel, forged in one piece.', words.unaccept);
    await above.waitFor({ state: 'detached' });
    expect(await page.locator('[data-comment]').getByText(words.answer).count()).toBe(0);
  },
);

browserTest(
  '[WC208][WC208a][WC188] the next page of saved posts is loaded before the reader is there, and `j` begins with the first post in view',
  async () => {
    const { channels } = ada.communities;
    const { community_id: garden } = await channels.find(made.channel);
    const { id: quiet } = await channels.create(garden, { kind: 'posts', name: 'quiet' });
    for (let at = 1; at <= 34; at += 1) {
      const { id } = await ada.posts.create(quiet, { title: `Seed ${at}` });
      await ada.posts.save(id);
    }
    const owner = await enter('ada', 'u/ada');
    const { page } = owner;
    await page.locator('.user-tab').getByText(writing.saved).click();
    await card(owner, 'Seed 34').waitFor();
    expect(await page.locator('[data-post]').count()).toBe(30);
    const leftWhenAsked = await page.locator('main').evaluate(async (main) => {
      const posts = () => Array.from(main.querySelectorAll('[data-post]'));
      const last = posts().at(-1);
      const left = () => (last?.getBoundingClientRect().bottom ?? 0) - main.clientHeight;
      // Posts have their real heights only near the view, so the end comes nearer with the way to it.
      for (let from = 2_500; left() > 0; from -= 150) {
        main.scrollTop += Math.max(150, left() - from);
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
        if (main.querySelector('.post-list-end .hint') !== null || posts().length > 30) break;
      }
      return left();
    });
    expect(leftWhenAsked).toBeGreaterThan(300);
    await eventually(() => page.locator('[data-post]').count(), 34);
    await page.keyboard.press('j');
    const isInView = () =>
      page.evaluate(() => {
        const { activeElement: item } = document;
        const view = document.querySelector('main')?.getBoundingClientRect();
        const above = item?.previousElementSibling?.getBoundingClientRect();
        if (view === undefined || above === undefined || item === null) return false;
        return item.getBoundingClientRect().top >= view.top && above.top < view.top;
      });
    await eventually(isInView, true);
  },
);
