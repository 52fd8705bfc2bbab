import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import type { Page } from 'playwright-core';
import { idSchema, MOST_POST_PINS } from '@hearth/protocol/schemas';
import type { Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { enConflicts } from '../src/text/en/conflicts.ts';
import { enPosts as words } from '../src/text/en/posts.ts';
import { goTo } from './support/go-to.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { lookAt, untilStill, type Faults } from './support/faults.ts';
import { layoutFaults } from './support/layout.ts';
import { registerElsewhere } from './support/members.ts';
import { makePosts, type PostShowcase } from './support/post-showcase.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const PIXEL = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);

const CLIP = join(import.meta.dir, '../../testing/src/media/vp9.webm');

const browser = useBrowser();
const signIns = new KeptSignIns(browser, /status of (401|404|409)/);
let instance: WebInstance;
let ada: Client;
let grace: Client;
let made: PostShowcase;
let quiet: Id;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registerElsewhere(instance, 'ada');
  grace = await registerElsewhere(instance, 'grace');
  made = await makePosts(ada, grace);
  const { community_id: garden } = await ada.communities.channels.find(made.channel);
  ({ id: quiet } = await ada.communities.channels.create(garden, { kind: 'posts', name: 'quiet' }));
});

afterAll(() => instance[Symbol.asyncDispose]());

const visit = (path: string, username: string): Promise<Someone> =>
  signIns.enter(username, new URL(path, instance.url));

const commentWith = ({ page }: Someone, text: string) =>
  page.locator('[data-comment]').filter({ hasText: text });

const shot = async ({ page }: Someone, name: string) => {
  const folder = process.env['SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

browserTest(
  '[WC184] the pictures of a post are a gallery, which the keyboard leafs through',
  async () => {
    const files = await Promise.all(
      ['one.png', 'two.png'].map((name) =>
        ada.files.upload(new File([PIXEL], name, { type: 'image/png' })),
      ),
    );
    const post = await ada.posts.create(quiet, {
      title: 'Two pictures',
      attachments: files.map(({ id }) => ({ id: idSchema.parse(id) })),
    });
    const someone = await visit(`c/garden/p/${post.id}`, 'grace');
    const { page } = someone;
    const gallery = page.getByRole('group', { name: words.gallery('2') });
    await gallery.locator('img').nth(1).waitFor();
    const found: Faults = {};
    await lookAt(page, 'gallery', found);
    expect(found).toEqual({});
    await gallery.getByRole('button').first().click();
    const large = page.getByRole('dialog');
    await large.locator('.picture-front').waitFor();
    const shown = () => large.locator('.picture-front').getAttribute('src');
    const first = await shown();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      (source) => document.querySelector('.picture-front')?.getAttribute('src') !== source,
      first,
    );
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'detached' });
  },
);

browserTest('[WC182][WC182b] the card of a post with a video says that it is one', async () => {
  const bytes = await Bun.file(CLIP).bytes();
  const { id } = await ada.files.upload(new File([bytes], 'clip.webm', { type: 'video/webm' }));
  const attachments = [{ id: idSchema.parse(id) }];
  const { community_id: garden } = await ada.communities.channels.find(quiet);
  const films = await ada.communities.channels.create(garden, { kind: 'posts', name: 'films' });
  await ada.posts.create(films.id, { title: 'How it grew', attachments });
  const { page } = await visit(`c/garden/${films.id}`, 'grace');
  const card = page.locator('[data-post]').filter({ hasText: 'How it grew' });
  await card.locator('.post-thumb svg').waitFor();
  // A picture of it could not be loaded.
  expect(await card.locator('img').count()).toBe(0);
  const found: Faults = {};
  await lookAt(page, 'card of a video', found);
  expect(found).toEqual({});
});

browserTest(
  '[ER11][WC375] a post that is one pin too many says so in a sentence of the page',
  async () => {
    const { community_id: garden } = await ada.communities.channels.find(quiet);
    const board = await ada.communities.channels.create(garden, { kind: 'posts', name: 'board' });
    const post = (title: string) => ada.posts.create(board.id, { title });
    for (let number = 1; number <= MOST_POST_PINS; number += 1) {
      const { id } = await post(`Rule ${number}`);
      await ada.posts.change(id, { pinned: true });
    }
    const { id } = await post('One rule too many');
    const someone = await visit(`c/garden/p/${id}`, 'ada');
    const { page } = someone;
    await page.getByRole('button', { name: words.menu }).first().click();
    await page.getByRole('menuitem', { name: words.pin, exact: true }).click();
    await page.getByText(enConflicts.too_many.pinned).waitFor();
    await shot(someone, 'one-pin-too-many');
  },
);

browserTest('[WC183] hidden scores say until when, to everyone but those who manage', async () => {
  await ada.communities.channels.change(quiet, { hide_scores_seconds: 3_600 });
  const post = await ada.posts.create(quiet, { title: 'Is it good?' });
  await grace.posts.vote(post.id, 1);
  const someone = await visit(`c/garden/p/${post.id}`, 'grace');
  const { page } = someone;
  const votes = page.locator('.post .votes').first();
  await votes.locator('.score-hidden').waitFor();
  expect(await votes.innerText()).toContain(words.hiddenUntil('').trim());
  // One's own vote is known nevertheless.
  const up = votes.getByRole('button', { name: words.voteUp });
  await up.and(page.locator('[aria-pressed="true"]')).waitFor();
  await shot(someone, 'hidden-scores');
});

browserTest('[WC184][WC185] a comment is changed and deleted in its menu', async () => {
  const post = await ada.posts.create(quiet, { title: 'Say something' });
  const mine = await grace.posts.comments.create(post.id, 'I came to say somthing.');
  await ada.posts.comments.create(post.id, { content: 'You did.', parent_id: mine.id });
  const someone = await visit(`c/garden/p/${post.id}`, 'grace');
  const { page } = someone;
  const choose = async (text: string, item: string) => {
    await commentWith(someone, text)
      .getByRole('button', { name: words.commentMenu('grace') })
      .click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('I came to say somthing.', words.edit);
  const box = commentWith(someone, 'grace').getByRole('textbox');
  expect(await box.inputValue()).toBe('I came to say somthing.');
  await box.fill('I came to say something.');
  await box.press('Control+Enter');
  const changed = commentWith(someone, 'I came to say something.');
  await changed.getByText(words.edited).waitFor();
  await choose('I came to say something.', words.remove);
  await page.getByRole('dialog').getByRole('button', { name: words.remove }).click();
  await page.getByText(words.deletedComment).waitFor();
  await commentWith(someone, 'You did.').waitFor();
  expect(await page.getByText('I came to say something.').count()).toBe(0);
});

browserTest('[WC185][WC188] the line below a comment folds it with its replies', async () => {
  const someone = await visit(`c/garden/p/${made.long}`, 'grace');
  const { page } = someone;
  const last = commentWith(someone, 'It did, with one head again.');
  await last.waitFor();
  await shot(someone, 'tree');
  // The keyboard begins with the post, for which it votes too.
  await page.keyboard.press('j');
  const post = page.locator('.post');
  await page.waitForFunction(() => document.activeElement?.matches('.post') === true);
  const up = post.getByRole('button', { name: words.voteUp });
  await up.and(page.locator('[aria-pressed="true"]')).waitFor();
  // What was asked for before a vote must not be answered after it.
  await page.waitForLoadState('networkidle');
  for (const isUp of ['false', 'true']) {
    await page.keyboard.press('a');
    await post.locator(`[aria-pressed="${isUp}"]`).and(up).waitFor();
  }
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.activeElement?.matches('[data-comment]') === true);
  await last.scrollIntoViewIfNeeded();
  const line = await commentWith(someone, 'Mine did that').first().locator('.fold').boundingBox();
  const end = await last.boundingBox();
  if (line === null || end === null) throw new Error('They are not shown.');
  // It goes along with the last of the replies.
  await page.mouse.click(line.x + line.width / 2, end.y + end.height / 2);
  await last.waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: words.unfold('grace') })
    .first()
    .click();
  await last.waitFor();
});

browserTest(
  '[WC185][WC185a] more comments on a post are loaded before the reader is there, and those that are there stay if that fails',
  async () => {
    const post = await ada.posts.create(quiet, { title: 'How many leaves?' });
    for (let at = 0; at < 102; at += 1) await ada.posts.comments.create(post.id, `${at} leaves`);
    const someone = await visit(`c/garden/${quiet}`, 'ada');
    const { page } = someone;
    const isNext = /\/comments\?.*cursor=/;
    const headers = { 'access-control-allow-origin': '*' };
    await page.route(isNext, (route) => route.fulfill({ status: 404, headers, body: '{}' }));
    await page.getByRole('link', { name: 'How many leaves?' }).click();
    await commentWith(someone, '101 leaves').waitFor();
    const again = page.getByRole('button', { name: words.again });
    // Comments above get their heights when they are drawn, and so move the last one away again.
    const goToEnd = () => page.locator('[data-comment]').nth(99).scrollIntoViewIfNeeded();
    await eventually(async () => {
      await goToEnd();
      return again.isVisible();
    }, true);
    expect(await page.locator('[data-comment]').count()).toBe(100);
    await page.unroute(isNext);
    await eventually(async () => {
      // The page reads the comments again, and so takes the button away, if it watches them only now.
      if (await again.isVisible()) await again.click({ timeout: 1000 }).catch(() => undefined);
      else await goToEnd();
      return page.locator('[data-comment]').count();
    }, 102);
  },
);

browserTest(
  '[WC185] more comments are loaded even if the reader comes to the end while they are read again',
  async () => {
    const post = await ada.posts.create(quiet, { title: 'How many petals?' });
    for (let at = 0; at < 102; at += 1) await ada.posts.comments.create(post.id, `${at} petals`);
    const someone = await visit(`c/garden/p/${post.id}`, 'ada');
    const { page } = someone;
    const comments = page.locator('[data-comment]');
    await commentWith(someone, '101 petals').waitFor();
    const release = Promise.withResolvers<void>();
    await page.route(/\/comments\?.*sort=new/, async (route) => {
      await release.promise;
      await route.continue();
    });
    // The page watches the post by now, after which it may read the comments once more.
    await page.waitForLoadState('networkidle');
    const asked = page.waitForRequest(/\/comments\?.*sort=new/);
    await page
      .getByRole('combobox', { name: words.sortComments })
      .selectOption({ label: words.commentSorts.new });
    await asked;
    await page.locator('.post-list-end').scrollIntoViewIfNeeded();
    await page.locator('.post-list-end').getByText(words.loading).waitFor();
    await untilStill(page);
    release.resolve();
    await eventually(() => comments.count(), 102);
  },
);

browserTest('[WC181][WC184] visitors without an account read, and cannot vote', async () => {
  const someone = new Someone(await browser.emptyVisit());
  someone.visit.expectFaults(/status of (401|404)/);
  await someone.page.goto(new URL(`c/garden/${made.channel}`, instance.url).href);
  const { page } = someone;
  await page
    .getByRole('link', { name: /two heads/ })
    .first()
    .click();
  await commentWith(someone, 'Did it bloom the year after?').first().waitFor();
  const up = page.getByRole('button', { name: words.voteUp });
  expect(await up.count()).toBeGreaterThan(0);
  for (const button of await up.all()) expect(await button.isDisabled()).toBe(true);
  expect(await page.getByRole('textbox', { name: words.writeLabel }).count()).toBe(0);
  await shot(someone, 'visitor');
  const found: Faults = {};
  await lookAt(page, 'visitor', found);
  expect(found).toEqual({});
});

browserTest('[WC181][WC184] lists and posts fit on a page that is enlarged to 200 %', async () => {
  const someone = await visit(`c/garden/${made.channel}`, 'grace');
  const { page } = someone;
  await page.setViewportSize({ width: 640, height: 400 });
  await untilStill(page);
  await page
    .getByRole('link', { name: /two heads/ })
    .first()
    .waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  await goTo(page, `c/garden/p/${made.long}`);
  await commentWith(someone, 'Did it bloom the year after?').first().waitFor();
  await untilStill(page);
  expect(await layoutFaults(page)).toEqual([]);
  await shot(someone, 'zoom');
  // The buttons below a post stay in one line on the narrowest page.
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 640 });
    await untilStill(page);
    await shot(someone, `foot-${width}`);
    const middles = await page.locator('.post-foot > *').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return Math.round((top + bottom) / 2);
      }),
    );
    expect(new Set(middles).size).toBe(1);
  }
});

function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

browserTest(
  '[WC341] the comment that an address names is in view, and the page in its place, however it is reached',
  async () => {
    const pathname = `c/garden/p/${made.deep}/conversation/${made.deepest}`;
    const someone = await visit(pathname, 'grace');
    const { page } = someone;
    await untilInPlace(page);
    for (const [width, height] of [
      [1280, 400],
      [390, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      // The address is opened, and a link of the page leads there again after the reader has gone elsewhere.
      await page.goto(new URL(pathname, instance.url).href);
      await untilInPlace(page);
      await shot(someone, `linked-${width}`);
      // The lines of the comments above it do not cover who wrote it.
      const avatar = page.locator('[data-linked] .comment-head .avatar');
      expect(await avatar.evaluate(isOnTop)).toBe(true);
      await page.locator('.page').evaluate((scroller) => scroller.scrollTo({ top: 0 }));
      await goTo(page, pathname);
      await untilInPlace(page);
    }
    // Back leads to it, too, and unfolds it.
    await page.keyboard.press('x');
    await page.locator('[data-linked][data-folded]').waitFor();
    await page.getByRole('link', { name: words.allComments }).click();
    await page.locator('[data-linked]').waitFor({ state: 'detached' });
    await page.goBack();
    await untilInPlace(page);
    expect(await page.locator('[data-linked][data-folded]').count()).toBe(0);
  },
);

/** Resolves when the comment that the address names is wholly in view and has the focus, and nothing else has moved. */
async function untilInPlace(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const linked = document.querySelector('[data-linked]');
    const frame = linked?.closest('.frame')?.getBoundingClientRect();
    const view = linked?.closest('.page')?.getBoundingClientRect();
    if (linked === null || view === undefined || document.activeElement !== linked) return false;
    const { top, bottom } = linked.getBoundingClientRect();
    const { scrollHeight } = document.documentElement;
    const isInPlace = scrollY === 0 && frame?.top === 0 && scrollHeight === innerHeight;
    return isInPlace && top >= view.top && bottom <= view.bottom;
  });
}
