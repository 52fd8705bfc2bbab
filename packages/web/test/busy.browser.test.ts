import { afterAll, beforeAll, expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import type { Page } from 'playwright-core';
import { en } from '../src/text/en.ts';
import { enCommunities } from '../src/text/en/communities.ts';
import { goTo } from './support/go-to.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { registerElsewhere } from './support/members.ts';
import { eventually, inAnyWords, type Someone } from './support/someone.ts';
import { messageOf } from './support/try-tools.ts';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
const signIns = new KeptSignIns(browser, /status of (401|404|429)/);
let instance: WebInstance;
let ada: Client;
let talk: Id;
let post: Id;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registerElsewhere(instance, 'ada');
  await registerElsewhere(instance, 'grace');
  const garden = { name: 'Garden', slug: 'garden', kind: 'both', visibility: 'public' } as const;
  const { id, channels } = await ada.communities.create({ ...garden, join: 'open' });
  talk = channels[0]?.id ?? expect.unreachable();
  const made = await ada.communities.channels.create(id, { kind: 'posts', name: 'harvest' });
  ({ id: post } = await ada.posts.create(made.id, { title: 'The beans are up' }));
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Lets places refuse changes as busy, until `release`. `refused` are the methods and the ends of the addresses. */
async function keepBusy(page: Page, retryAfterMs: number) {
  const refused: string[] = [];
  const body = {
    status: 429,
    message: 'Too much',
    data: { retry_after: retryAfterMs, code: 'busy' },
  };
  await page.route(
    () => true,
    async (route) => {
      const method = route.request().method();
      if (method === 'GET' || method === 'OPTIONS') return route.continue();
      refused.push(`${method} ${new URL(route.request().url()).pathname.split('/').at(-1)}`);
      const headers = { 'Access-Control-Allow-Origin': '*' };
      return route.fulfill({ status: 429, json: body, headers });
    },
  );
  return {
    /** Resolves when the place has refused a request twice: it was sent again. */
    hasRefused: (line: string) =>
      eventually(async () => refused.filter((one) => one === line).length >= 2, true),
    release: () => page.unrouteAll({ behavior: 'wait' }),
  };
}

const waits = ({ page }: Someone) => page.getByText(en.shell.banner.busy).first().waitFor();

const waitsNoMore = ({ page }: Someone) =>
  eventually(() => page.getByText(en.shell.banner.busy).count(), 0);

browserTest(
  '[WC399] a reader joins, writes, reacts, comments and votes at busy places, and sees no error',
  async () => {
    const { id } = await ada.channel(talk).send('the tulips are out');
    await ada.channel(talk).react(id, '🌷');
    const grace = await signIns.enter('grace', new URL(`c/garden/${talk}`, instance.url));
    const { page } = grace;

    const join = grace.button(enCommunities.frame.join);
    await join.waitFor();
    let place = await keepBusy(page, 100);
    await join.click();
    await place.hasRefused('PUT me');
    await waits(grace);
    expect(await join.getAttribute('aria-disabled')).toBe('true');
    await place.release();
    await join.waitFor({ state: 'detached' });
    await waitsNoMore(grace);

    place = await keepBusy(page, 1_000);
    await grace.say('so are mine');
    await page.getByText(inAnyWords(en.conversation.waitingUntil)).waitFor();
    await place.hasRefused('POST messages');
    await place.release();
    await page.locator('.delivery').waitFor({ state: 'detached' });
    const newest = await ada.channel(talk).history({ limit: 2 });
    expect(newest.map(({ content }) => content)).toEqual(['so are mine', 'the tulips are out']);

    place = await keepBusy(page, 100);
    const tulip = messageOf(grace, 'the tulips are out').locator('.reaction').first();
    await tulip.click();
    await place.hasRefused(`PUT ${encodeURIComponent('🌷')}`);
    await waits(grace);
    expect(await tulip.getAttribute('aria-pressed')).toBe('true');
    await place.release();
    await waitsNoMore(grace);
    expect((await ada.channel(talk).message(id)).reactions).toMatchObject([{ count: 2 }]);

    await goTo(page, `c/garden/p/${post}/beans`);
    place = await keepBusy(page, 100);
    await page.locator('.comment-editor textarea').first().fill('Mine, too.');
    const send = page.locator('.comment-editor [type=submit]').first();
    await send.click();
    await page.locator('[data-vote="1"]').first().click();
    await Promise.all([place.hasRefused('POST comments'), place.hasRefused('PUT vote')]);
    await waits(grace);
    expect(await send.isDisabled()).toBe(true);
    await place.release();
    await page.locator('[data-comment]').filter({ hasText: 'Mine, too.' }).waitFor();
    await waitsNoMore(grace);
    expect(await ada.posts.find(post)).toMatchObject({ comment_count: 1, upvotes: 1 });
    const alerts = await page.getByRole('alert').allInnerTexts();
    expect(alerts.filter((text) => text !== '')).toEqual([]);
  },
);

browserTest(
  '[WC399][WC399a] a place that stays busy is named in a sentence, and what was pressed is as before',
  async () => {
    const grace = await signIns.enter('grace', new URL(`c/garden/p/${post}/beans`, instance.url));
    const { page } = grace;
    const down = page.locator('[data-vote="-1"]').first();
    await down.waitFor();
    // Longer than anything is repeated.
    const place = await keepBusy(page, 60_000);
    await down.click();
    const notice = page.getByRole('alert').filter({ hasText: en.shell.errors.busy });
    await notice.waitFor();
    expect(await down.getAttribute('aria-pressed')).toBe('false');
    await notice.getByRole('button', { name: enCommunities.frame.dismiss }).click();

    await page.locator('.comment-editor textarea').first().fill('Not now.');
    await page.locator('.comment-editor [type=submit]').first().click();
    await page.locator('.comment-editor').getByText(en.shell.errors.busy).waitFor();
    expect(await page.locator('.comment-editor textarea').first().inputValue()).toBe('Not now.');
    await place.release();
  },
);
